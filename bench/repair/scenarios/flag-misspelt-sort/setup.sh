#!/usr/bin/env bash
set -euo pipefail
printf 'red\nblue\n' > a.txt
printf 'blue\ngreen\n' > b.txt
