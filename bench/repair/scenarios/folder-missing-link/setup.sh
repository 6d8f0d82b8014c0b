#!/usr/bin/env bash
set -eu
mkdir -p releases/v2 && echo 2 > releases/v2/VERSION
