# SPDX-License-Identifier: MIT
"""The build backend that `pip install` calls in the unpacked sdist (PEP 517): builds by make, with the packages that
`sh tools/install-deps` installs."""
import glob
import os
import shutil
import subprocess
import sys


def _made(target, pattern, folder):
    words = ["make", f"-j{os.cpu_count() or 1}", f"PYTHON={sys.executable}", target]
    if not os.environ.get("CUDA_ARCH") and "CUDA" not in os.environ and not shutil.which("nvidia-smi"):
        words.append("CUDA=0")  # otherwise nvcc would compile for all kinds of GPUs, which takes most of an hour
    subprocess.check_call(words, stdout=sys.stderr)
    newest = max(glob.glob(pattern), key=os.path.getmtime)
    shutil.copy(newest, folder)
    return os.path.basename(newest)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _made("wheel-here", "build/release*/python/dist/*.whl", wheel_directory)


def build_sdist(sdist_directory, config_settings=None):
    return _made("sdist", "build/sdist/*.tar.gz", sdist_directory)
