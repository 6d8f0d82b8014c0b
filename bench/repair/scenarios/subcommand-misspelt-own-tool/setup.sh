#!/usr/bin/env bash
set -eu
echo 1 > version
cat > db.py <<'PY'
import argparse
parser = argparse.ArgumentParser(prog='db.py')
parser.add_argument('verb', choices=['status', 'migrate', 'rollback', 'dump'])
verb = parser.parse_args().verb
version = int(open('version').read())
if verb == 'migrate':
    open('version', 'w').write(str(version + 1))
elif verb == 'rollback':
    open('version', 'w').write(str(version - 1))
print('version', open('version').read())
PY
