#!/usr/bin/env bash
set -euo pipefail
[ "$(cat line.txt)" = 'version 1.2' ]
