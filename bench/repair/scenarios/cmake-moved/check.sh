#!/usr/bin/env bash
set -eu
test -f work/made.txt
