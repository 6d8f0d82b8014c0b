#!/usr/bin/env bash
set -euo pipefail
[ "$(git --git-dir ../remote.git show main:price)" = 11 ] && [ "$(git show main:price)" = 12 ]
