#!/usr/bin/env bash
set -eu
[ "$(cat log.txt | wc -l)" = 2 ]
