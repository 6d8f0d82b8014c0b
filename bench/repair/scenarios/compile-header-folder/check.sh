#!/usr/bin/env bash
set -eu
test -s parse.o
