#!/usr/bin/env bash
set -eu
mkdir -p src/greeter && touch src/greeter/__init__.py
printf 'import sys\nprint("hello", sys.argv[1])\n' > src/greeter/__main__.py
