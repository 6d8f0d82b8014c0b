#!/usr/bin/env bash
set -eu
test -z "$(git ls-files)"
