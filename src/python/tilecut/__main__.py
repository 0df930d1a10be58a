# SPDX-License-Identifier: MIT
"""Runs the command line: python -m tilecut."""
import os
import shutil
import subprocess
import sys


def main():
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "tilecut.exe" if os.name == "nt" else "tilecut")
    program = here if os.path.exists(here) else shutil.which("tilecut")
    if not program:
        sys.exit("tilecut: the program is neither in the package nor in PATH")
    try:
        if os.name == "nt":  # on Windows the shell would not wait for a program started by exec
            sys.exit(subprocess.call([program] + sys.argv[1:]))
        os.execv(program, ["tilecut"] + sys.argv[1:])
    except OSError as error:
        sys.exit(f"tilecut: {program}: {error.strerror}")


if __name__ == "__main__":
    main()
