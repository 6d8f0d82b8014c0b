#!/usr/bin/env bash
set -eu
[ "$(wc -l < hosts.txt)" = 2 ]
