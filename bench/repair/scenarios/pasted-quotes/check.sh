#!/usr/bin/env bash
set -eu
grep -q "two words" found.txt
