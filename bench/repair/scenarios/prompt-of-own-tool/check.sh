#!/usr/bin/env bash
set -eu
[ "$(cat loaded.txt)" = 2 ]
