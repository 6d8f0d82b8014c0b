#!/usr/bin/env bash
set -eu
[ "$(cat client/passed.txt)" = yes ] && [ -f tested.txt ]
