#!/usr/bin/env bash
set -eu
printf 'assemble:\n\ttouch assembled\n' > Makefile
