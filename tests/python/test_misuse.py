# SPDX-License-Identifier: MIT
"""Every public function refuses what it cannot take by one line: never a crash, nor an error of the code inside it."""
import inspect
import unittest

import tilecut
from tilecut import network

try:
    import numpy
except ImportError:
    numpy = None

BAD = {"None": None, "a text": "abc", "-1": -1, "huge": 10 ** 30, "2.5": 2.5, "nan": float("nan"), "nothing": [],
       "an object": object(), "a dict": {}}
CLEAR = (TypeError, ValueError, MemoryError, tilecut.Error)


def functions():
    for name in tilecut.__all__:
        yield getattr(tilecut, name)
    for name, what in vars(network).items():
        if not name.startswith("_") and getattr(what, "__module__", "") == "tilecut.network":
            yield what


@unittest.skipIf(numpy is None, "NumPy is not installed")
class Misuse(unittest.TestCase):
    def setUp(self):
        plane, space = numpy.zeros((9, 8), numpy.uint8), numpy.zeros((5, 9, 8), numpy.uint8)
        self.bad = dict(BAD, **{"many": numpy.zeros((60, 60)), "NaN": numpy.full((9, 8), numpy.nan),
                                "apart": numpy.zeros((18, 16), numpy.uint8)[::2, ::2], "turned": plane[::-1, ::-1],
                                "4 axes": numpy.zeros((2, 2, 2, 2), numpy.uint8), "words": numpy.array([["a"]]),
                                "complex": numpy.zeros((9, 8), complex), "of what": numpy.array([[object()]])})
        plane.setflags(write=False)
        self.good = {"image": numpy.zeros((9, 8, 3), numpy.uint8), "seeds": plane, "mask": plane, "truth": plane,
                     "trimap": plane, "before": plane, "after": plane, "alpha": numpy.zeros((9, 8), numpy.uint16),
                     "path": "/nowhere/none.png", "volume": space, "voxels": space, "labels": plane}

    def call(self, function, name, value):
        given = {}
        for parameter in inspect.signature(function).parameters.values():
            if parameter.name == name:
                given[name] = value
            elif parameter.default is parameter.empty and parameter.kind == parameter.POSITIONAL_OR_KEYWORD:
                given[parameter.name] = self.good.get(parameter.name, 3)
        return function(**given)

    def test_one_clear_line(self):
        tried = 0
        for function in functions():
            if inspect.isclass(function) or not callable(function):
                continue
            for parameter in inspect.signature(function).parameters.values():
                for what, value in self.bad.items() if parameter.kind in (1, 3) else ():
                    with self.subTest(function=function.__name__, parameter=parameter.name, value=what):
                        try:
                            self.call(function, parameter.name, value)
                        except CLEAR as error:
                            self.assertTrue(str(error).strip())
                            self.assertNotIn("\n", str(error))
                        tried += 1
        self.assertGreater(tried, 1500)


if __name__ == "__main__":
    unittest.main()
