#!/usr/bin/env bash
set -euo pipefail
[ "$(tr -d ' \n' < count.txt)" = 3 ]
