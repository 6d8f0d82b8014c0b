#!/usr/bin/env bash
set -euo pipefail
mkdir -p releases/4 releases/5 && echo four > releases/4/name && echo five > releases/5/name
ln -s releases/4 current
