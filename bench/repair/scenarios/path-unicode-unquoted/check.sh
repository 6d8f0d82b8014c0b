#!/usr/bin/env bash
set -eu
grep -q '^ *3 ' count.txt
