#!/usr/bin/env bash
set -eu
test -s tally.a
