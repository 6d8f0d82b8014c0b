#!/usr/bin/env bash
set -euo pipefail
[ -e node_modules/theme/package.json ] && [ -e node_modules/core/package.json ]
