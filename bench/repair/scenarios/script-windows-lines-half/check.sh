#!/usr/bin/env bash
set -eu
test -f one.txt && test "$(ls one* | wc -l)" = 1
