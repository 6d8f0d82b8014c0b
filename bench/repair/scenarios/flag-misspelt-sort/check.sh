#!/usr/bin/env bash
set -eu
[ "$(tr '\n' ' ' < colours.txt)" = 'blue green red ' ]
