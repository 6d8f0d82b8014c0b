#!/usr/bin/env bash
set -eu
printf 'touch,made\n' > people.csv
