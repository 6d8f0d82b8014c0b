#!/usr/bin/env bash
set -eu
printf 'a\nb\n' > samples.txt
cat > load.py <<'PY'
import argparse, sys
parser = argparse.ArgumentParser()
parser.add_argument('--yes', action='store_true')
parser.add_argument('file')
given = parser.parse_args()
rows = open(given.file).readlines()
if not given.yes:
    print(f'Load {len(rows)} rows? [y/N] ', end='')
    if sys.stdin.readline().strip() != 'y':
        sys.exit('Aborted. Use --yes to load without being asked.')
print(len(rows), file=open('loaded.txt', 'w'))
PY
