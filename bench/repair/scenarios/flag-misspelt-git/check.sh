#!/usr/bin/env bash
set -eu
grep -q 'Second line' log.txt && [ "$(wc -l < log.txt)" = 2 ]
