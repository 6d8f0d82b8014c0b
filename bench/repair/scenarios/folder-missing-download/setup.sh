#!/usr/bin/env bash
set -euo pipefail
mkdir remote && printf 'a,b\n1,2\n' > remote/set.csv
