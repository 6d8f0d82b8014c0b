#!/usr/bin/env bash
set -eu
grep -q 'value 7' metrics/today.txt
