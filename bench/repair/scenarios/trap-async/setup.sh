#!/usr/bin/env bash
set -eu
cat > mirror.py <<'X'
import argparse
p = argparse.ArgumentParser()
p.add_argument('mode', choices=['async', 'batch'])
a = p.parse_args()
open('sent', 'w').write(a.mode)
X
