# SPDX-License-Identifier: MIT
"""Writes the binding's view of the public headers: structs, numbers and prototypes for ctypes.

    python3 header.py tilecut_types.h tilecut.h tilecut_correct.h ... > tilecut/_header.py

Later headers use names of earlier ones. The headers are the only place where a field or a function is described.
Declarations that this script does not understand are errors, so that none is left out unnoticed.
"""
import re
import sys

SCALARS = {
    "int": "c_int", "double": "c_double", "size_t": "c_size_t", "int64_t": "c_int64", "int32_t": "c_int32",
    "uint8_t": "c_uint8", "tilecut_status": "c_int",
}

LIMITS = {"INT32_MAX": 2 ** 31 - 1, "INT64_MAX": 2 ** 63 - 1}


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def ctype(words, stars, structs):
    """Returns the ctypes name of a type: its words without const, and the number of stars after them."""
    name = " ".join(w for w in words if w not in ("const", "struct", "volatile"))
    if stars == 0:
        if name == "void":
            return "None"
        if name in SCALARS:
            return "ctypes." + SCALARS[name]
        if name in structs:
            return name
        raise ValueError(f"unknown type {name!r}")
    if name == "char" and stars == 1:
        return "ctypes.c_char_p"
    if stars == 2 and name not in SCALARS and name != "void":
        return "ctypes.POINTER(ctypes.c_void_p)"
    if name in structs and structs[name]:
        return f"ctypes.POINTER({name})"
    return "ctypes.c_void_p"


def declarator(text):
    """Splits 'const int32_t *to[TILECUT_LINKS]' into (words, stars, name, length or None)."""
    found = re.fullmatch(r"([\w\s]+?)([\s*]*)(\w+)\s*(?:\[([^\]]+)\])?", text.strip())
    if not found:
        raise ValueError(f"cannot read {text!r}")
    words, stars, name, length = found.groups()
    return words.split(), stars.count("*"), name, length


def prototype(result, arguments, structs):
    """Returns the ctypes name of a pointer to a function."""
    kinds = []
    for argument in arguments.split(","):
        words, stars, _, _ = declarator(argument)
        kinds.append(ctype(words, stars, structs))
    return f"ctypes.CFUNCTYPE({', '.join([ctype([result], 0, structs)] + kinds)})"


def fields(body, structs, constants):
    rows = []
    for statement in filter(None, (s.strip() for s in body.split(";"))):
        function = re.fullmatch(r"(\w+)\s*\(\*(\w+)\)\((.*)\)", statement, flags=re.S)
        if function:
            rows.append((function.group(2), prototype(function.group(1), function.group(3), structs)))
            continue
        parts = statement.split(",")
        words, stars, name, length = declarator(parts[0])
        for i, part in enumerate(parts):
            if i:
                found = re.fullmatch(r"\s*(\**)\s*(\w+)\s*(?:\[([^\]]+)\])?\s*", part)
                if not found:
                    raise ValueError(f"cannot read {part!r}")
                stars, name, length = len(found.group(1)), found.group(2), found.group(3)
            kind = ctype(words, stars, structs)
            if length:
                kind = f"{kind} * {eval(length, {}, constants)}"
            rows.append((name, kind))
    return rows


def enumerators(body, constants):
    value = -1
    for item in filter(None, (s.strip() for s in body.split(","))):
        name, _, given = (s.strip() for s in item.partition("="))
        value = eval(given, {}, constants) if given else value + 1
        constants[name] = value


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return without_comments(file.read())


def main(*paths):
    text = "\n".join(text_of(path) for path in paths)
    constants, structs, out = {}, {}, []
    for name, value in re.findall(r"^#define (TILECUT_\w+) +(\(?(?:-?\d|INT\d)[^\n]*?\)?) *$", text, flags=re.M):
        constants[name] = eval(value.replace("/", "//"), {}, {**LIMITS, **constants})
    for body in re.findall(r"enum\s*(?:\w+\s*)?\{(.*?)\}", text, flags=re.S):
        enumerators(body, constants)
    for name in re.findall(r"typedef struct (\w+) \1;", text):
        structs[name] = False  # opaque
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", text, flags=re.S):
        structs[name] = True
        rows = fields(body, structs, constants)
        out.append(f"\n\nclass {name}(ctypes.Structure):\n    _fields_ = [")
        out += [f"        ({field!r}, {kind})," for field, kind in rows]
        out.append("    ]")
    out.append("\n\n# name: (result, arguments)\nFUNCTIONS = {")
    count = 0
    for result, name, arguments in re.findall(r"TILECUT_API\s+([\w\s*]+?)(tilecut_\w+)\((.*?)\);", text, flags=re.S):
        kinds = []
        for argument in (a.strip() for a in arguments.split(",")):
            if argument == "void":
                continue
            words, stars, _, length = declarator(argument)
            kinds.append(ctype(words, stars + (1 if length else 0), structs))
        kind = ctype(result.replace("*", " ").split(), result.count("*"), structs)
        out.append(f"    {name!r}: ({kind}, [{', '.join(kinds)}]),")
        count += 1
    out.append("}")
    if count != text.count("TILECUT_API ") - text.count("#define TILECUT_API "):
        raise ValueError("a function of the header was not understood")
    print('# SPDX-License-Identifier: MIT\n"""Made of the public headers by header.py; not to be changed by hand."""\nimport ctypes\n')
    for name, value in constants.items():
        print(f"{name} = {value}")
    print("\n".join(out))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (ValueError, SyntaxError, NameError) as error:
        sys.exit(f"header.py: {' '.join(sys.argv[1:])}: {error}")
