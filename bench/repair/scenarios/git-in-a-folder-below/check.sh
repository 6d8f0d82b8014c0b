#!/usr/bin/env bash
set -euo pipefail
[ "$(cat log.txt | wc -l)" = 2 ]
