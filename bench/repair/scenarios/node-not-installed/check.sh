#!/usr/bin/env bash
set -eu
[ "$(cat report.txt)" = TOTAL ]
