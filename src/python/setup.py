# SPDX-License-Identifier: MIT
"""Packages the files that `make python` has put together: pure Python, a shared library and a program, for one
platform."""
import os

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel


class PlatformWheel(bdist_wheel):
    """The tag py3-none-PLATFORM: any Python 3, but only where the library inside runs."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", os.environ.get("TILECUT_PLATFORM") or super().get_tag()[2]


setup(
    name="tilecut",
    version=os.environ["TILECUT_VERSION"],
    description="Foreground/background segmentation by minimum cut, exactly",
    long_description="Cuts objects out of photos by strokes or a box. The mask is a proven minimum of its energy, and the "
                     "same on every machine. C library with ctypes binding; NumPy arrays in and out, without copies.",
    license="MIT",
    python_requires=">=3.8",
    install_requires=["numpy"],
    packages=["tilecut"],
    package_data={"tilecut": ["py.typed", "libtilecut.so.*", "libtilecut-files.so.*", "*.dll", "bin/tilecut*"]},
    cmdclass={"bdist_wheel": PlatformWheel},
)
