#!/usr/bin/env bash
set -eu
printf 'all:\n    echo hi\n' > Makefile
sha256sum Makefile > ../sums
