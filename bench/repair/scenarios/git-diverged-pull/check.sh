#!/usr/bin/env bash
set -eu
[ "$(cat theirs.txt)" = theirs ] && [ "$(cat mine.txt)" = mine ]
