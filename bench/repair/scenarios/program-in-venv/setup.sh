#!/usr/bin/env bash
set -eu
python3 -m venv --without-pip .venv
printf '40\n2\n' > entries.txt
printf '#!%s/.venv/bin/python3\nimport sys\nprint(sum(int(line) for line in open(sys.argv[1])))\n' "$PWD" > .venv/bin/ledgersum
chmod +x .venv/bin/ledgersum
