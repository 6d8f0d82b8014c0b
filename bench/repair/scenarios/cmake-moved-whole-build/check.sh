#!/usr/bin/env bash
set -eu
test -x lib/out/tool
