#!/usr/bin/env bash
set -euo pipefail
[ "$(wc -l < hosts.txt)" = 2 ]
