#!/usr/bin/env bash
set -euo pipefail
[ "$(cat docs.md)" = docs ]
