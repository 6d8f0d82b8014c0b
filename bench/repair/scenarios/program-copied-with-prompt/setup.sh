#!/usr/bin/env bash
set -eu
printf 'c\na\nb\n' > names.txt
