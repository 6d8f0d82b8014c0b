#!/usr/bin/env bash
set -euo pipefail
printf 'name x\nversion 1.2\n' > manifest.txt
