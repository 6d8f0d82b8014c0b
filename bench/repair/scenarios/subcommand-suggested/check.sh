#!/usr/bin/env bash
set -euo pipefail
[ "$(cat published/week.txt)" = text ]
