#!/usr/bin/env bash
set -eu
[ "$(cat line.txt)" = 'version 1.2' ]
