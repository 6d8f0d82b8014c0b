#!/usr/bin/env bash
set -eu
printf 'red\nblue\n' > a.txt
printf 'blue\ngreen\n' > b.txt
