#!/usr/bin/env bash
set -eu
grep -q 'the release' release.txt
