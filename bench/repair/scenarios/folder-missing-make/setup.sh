#!/usr/bin/env bash
set -eu
echo chapter > chapter.txt
printf 'manual: chapter.txt\n\tcp chapter.txt build/manual/index.txt\n' > Makefile
