#!/usr/bin/env bash
set -eu
mkdir lib; printf 'build:\n\ttouch built\n' > lib/Makefile; printf 'build:\n\ttouch wrong\n' > Makefile
