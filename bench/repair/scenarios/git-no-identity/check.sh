#!/usr/bin/env bash
set -euo pipefail
[ "$(git log -1 --format=%s)" = Numbers ]
