#!/usr/bin/env bash
set -euo pipefail
printf 'c\na\nb\n' > names.txt
