#!/usr/bin/env bash
set -euo pipefail
grep -q '^ *3 ' count.txt
