#!/usr/bin/env bash
set -eu
[ "$(wc -l < list.txt)" = 3 ]
