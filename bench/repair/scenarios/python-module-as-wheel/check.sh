#!/usr/bin/env bash
set -euo pipefail
[ "$(cat result.txt)" = fine ]
