#!/usr/bin/env bash
set -euo pipefail
[ "$(cat a.txt)" = good ] && [ "$(git rev-list --count HEAD)" = 3 ]
