#!/usr/bin/env bash
set -eu
mkdir tools
printf 'import sys\nprint(open(sys.argv[1]).read().replace("soup", "Suppe"))\n' > tools/translate.py
echo soup > menu.txt
