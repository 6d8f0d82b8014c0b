#!/usr/bin/env bash
set -eu
mkdir remote && printf 'a,b\n1,2\n' > remote/set.csv
