#!/usr/bin/env bash
set -euo pipefail
mkdir -p src/greeter && touch src/greeter/__init__.py
printf 'import sys\nprint("hello", sys.argv[1])\n' > src/greeter/__main__.py
