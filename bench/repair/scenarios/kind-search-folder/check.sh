#!/usr/bin/env bash
set -eu
[ "$(wc -l < todo.txt)" = 2 ]
