#!/usr/bin/env bash
set -eu
mkdir scripts
printf '1\n10\n' > raw.csv
printf 'import sys\nfor line in open(sys.argv[1]):\n    print(round(float(line) * 2.54, 2))\n' > scripts/convert_units.py
