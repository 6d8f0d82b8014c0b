#!/usr/bin/env bash
set -eu
[ "$(cat original.txt)" = a ] && [ "$(cat restored.txt)" = b ]
