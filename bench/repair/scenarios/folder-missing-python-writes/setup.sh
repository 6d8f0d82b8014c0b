#!/usr/bin/env bash
set -eu
seq 1 5 > numbers.txt
cat > export.py <<'PY'
import json, sys
numbers = [int(line) for line in open(sys.argv[1])]
with open('out/stats/summary.json', 'w') as target:
    json.dump({'sum': sum(numbers)}, target)
PY
