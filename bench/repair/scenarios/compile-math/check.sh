#!/usr/bin/env bash
set -eu
test -s curve.txt
