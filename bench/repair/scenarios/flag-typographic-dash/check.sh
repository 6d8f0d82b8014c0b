#!/usr/bin/env bash
set -eu
[ "$(tr '\n' ' ' < newest.txt)" = '7 8 9 ' ]
