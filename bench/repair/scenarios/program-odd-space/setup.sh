#!/usr/bin/env bash
set -eu
mkdir data
printf 'x\nz\ny\n' > data/list.txt
