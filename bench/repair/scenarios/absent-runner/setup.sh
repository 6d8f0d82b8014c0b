#!/usr/bin/env bash
set -eu
printf 'clean:\n\trm -f precious\n' > Makefile; echo 1 > precious
