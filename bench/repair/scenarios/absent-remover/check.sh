#!/usr/bin/env bash
set -eu
test -f notes.txt
