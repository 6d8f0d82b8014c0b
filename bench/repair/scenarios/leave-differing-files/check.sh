#!/usr/bin/env bash
set -eu
[ ! -e restored-well ] && [ "$(cat original.txt)" = a ] && [ "$(cat restored.txt)" = b ]
