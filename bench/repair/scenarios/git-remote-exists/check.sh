#!/usr/bin/env bash
set -euo pipefail
[ "$(git --git-dir ../remote.git log -1 --format=%s main)" = first ]
