#!/usr/bin/env bash
set -euo pipefail
[ "$(cat newest.txt)" = n ]
