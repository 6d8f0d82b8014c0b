#!/usr/bin/env bash
set -eu
[ "$(cat precheck.out)" = fine ] && [ "$(cat status)" = checked ]
