#!/usr/bin/env bash
set -eu
grep -q 08 padded.txt
