#!/usr/bin/env bash
set -eu
[ "$(cat unit.txt)" = 'service newname' ]
