#!/usr/bin/env bash
set -eu
cat > mailer.py <<'X'
import argparse
p = argparse.ArgumentParser()
p.add_argument('--to', choices=['john', 'mary'])
a = p.parse_args()
open('sent', 'w').write(a.to)
X
