#!/usr/bin/env bash
set -eu
mkdir firmware && printf 'image: code.txt\n\tcp code.txt image.bin\n' > firmware/Makefile && echo code > firmware/code.txt
