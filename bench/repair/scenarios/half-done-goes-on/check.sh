#!/usr/bin/env bash
set -eu
test -f assembled && test "$(grep -c begun run.log)" = 1 && grep -q ended run.log
