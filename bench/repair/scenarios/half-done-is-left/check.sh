#!/usr/bin/env bash
set -eu
test "$(wc -l < run.log)" = 1
