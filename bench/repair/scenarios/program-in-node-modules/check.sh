#!/usr/bin/env bash
set -eu
[ "$(head -n 1 all.txt)" = 'one two three' ]
[ "$(tail -n 1 all.txt)" = end ]
