#!/usr/bin/env bash
set -euo pipefail
[ "$(cat unit.txt)" = 'service newname' ]
