#!/usr/bin/env bash
set -euo pipefail
[ "$(cat letter.txt)" = 'Dear Ada' ]
