#!/usr/bin/env bash
set -euo pipefail
mkdir data
printf 'x\nz\ny\n' > data/list.txt
