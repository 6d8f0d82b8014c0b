#!/usr/bin/env bash
set -eu
test -f image/opt/tool.sh
