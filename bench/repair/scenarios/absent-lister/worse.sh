#!/usr/bin/env bash
set -eu
test "$(cat listing.old)" = kept
