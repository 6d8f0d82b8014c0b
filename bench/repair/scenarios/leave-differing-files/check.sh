#!/usr/bin/env bash
set -euo pipefail
[ ! -e restored-well ] && [ "$(cat original.txt)" = a ] && [ "$(cat restored.txt)" = b ]
