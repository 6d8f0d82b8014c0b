#!/usr/bin/env bash
set -eu
test -f people.csv
