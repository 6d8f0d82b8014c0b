#!/usr/bin/env bash
set -euo pipefail
[ "$(git rev-list --count HEAD)" = 2 ]
[ -z "$(git status --porcelain)" ]
