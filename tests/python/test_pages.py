# SPDX-License-Identifier: MIT
"""Runs the Python lines in docs/guide/python.md as written, in the folder with the photos."""
import os
import re
import tempfile
import unittest

import tilecut

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Pages(unittest.TestCase):
    def test_the_lines_of_the_page_run(self):
        with open(os.path.join(ROOT, "docs/guide/python.md"), encoding="utf-8") as file:
            blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), flags=re.S | re.M)
        self.assertEqual(len(blocks), 11)
        with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
            blocks += re.findall(r"^```python\n(.*?)^```$", file.read(), flags=re.S | re.M)
        self.assertEqual(len(blocks), 12)
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.join(ROOT, "images"), os.path.join(folder, "images"))
            os.chdir(folder)
            try:
                for block in blocks:
                    exec(compile(block, "python.md", "exec"), {"__name__": "page"})
            finally:
                os.chdir(before)

    def test_the_line_that_installs_brings_what_the_page_imports(self):
        with open(os.path.join(ROOT, "docs/guide/python.md"), encoding="utf-8") as file:
            page = file.read()
        installed = set(re.search(r"pip install (.*?) build/", page).group(1).split()) | {"tilecut", "threading"}
        blocks = "".join(re.findall(r"^```python\n(.*?)^```$", page, flags=re.S | re.M))
        for line in re.findall(r"^(?:import|from) (.*)$", blocks, flags=re.M):
            for name in line.split(" import ")[0].split(","):
                self.assertIn(re.split(r"[. ]", name.strip())[0], installed)

    def test_every_name_of_the_page_is_there(self):
        with open(os.path.join(ROOT, "docs/guide/python.md"), encoding="utf-8") as file:
            names = set(re.findall(r"tilecut\.([a-zA-Z_]+)\b(?!\.h|-)", file.read()))
        for name in names - {"h"}:
            self.assertTrue(hasattr(tilecut, name), name)
