#!/usr/bin/env bash
set -euo pipefail
cmp remote/set.csv downloads/raw/set.csv
