#!/usr/bin/env bash
set -eu
mkdir tools && printf '#!/bin/sh\ntest -s "$1" && echo fine > precheck.out\n' > tools/precheck.sh
echo r > release.txt
