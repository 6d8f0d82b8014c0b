#!/usr/bin/env bash
set -eu
cmp remote/set.csv downloads/raw/set.csv
