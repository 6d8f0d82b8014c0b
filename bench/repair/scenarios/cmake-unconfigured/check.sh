#!/usr/bin/env bash
set -eu
test -x work/hi
