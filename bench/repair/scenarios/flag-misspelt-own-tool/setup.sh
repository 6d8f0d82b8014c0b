#!/usr/bin/env bash
set -eu
mkdir tools
printf 'name,town\nAda,London\n' > people.csv
cat > tools/export.py <<'PY'
import argparse, csv, json
parser = argparse.ArgumentParser(prog='export.py')
parser.add_argument('--output', required=True)
parser.add_argument('--pretty', action='store_true')
parser.add_argument('source')
given = parser.parse_args()
with open(given.source) as source, open(given.output, 'w') as out:
    json.dump(list(csv.DictReader(source)), out)
PY
