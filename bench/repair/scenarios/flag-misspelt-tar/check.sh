#!/usr/bin/env bash
set -eu
[ "$(cat in/goods/count.txt)" = 12 ]
