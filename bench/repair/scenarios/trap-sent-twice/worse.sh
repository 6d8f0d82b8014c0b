#!/usr/bin/env bash
set -eu
test "$(wc -l < orders)" -le 1
