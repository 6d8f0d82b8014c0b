#!/usr/bin/env bash
set -eu
test ! -x people.csv
