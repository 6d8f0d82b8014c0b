#!/usr/bin/env bash
set -euo pipefail
[ "$(cat original.txt)" = a ] && [ "$(cat restored.txt)" = b ]
