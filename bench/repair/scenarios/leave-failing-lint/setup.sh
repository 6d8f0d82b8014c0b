#!/usr/bin/env bash
set -eu
mkdir src && printf 'x = 1 \n' > src/a.py
printf 'import pathlib, sys\nbad = [p for p in pathlib.Path(sys.argv[1]).rglob("*.py") if any(line.rstrip("\\n").endswith(" ") for line in open(p))]\nfor p in bad: print(f"{p}: error: trailing whitespace", file=sys.stderr)\nsys.exit(1 if bad else 0)\n' > lint.py
sha256sum lint.py > ../sums
