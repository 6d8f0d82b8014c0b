#!/usr/bin/env bash
set -eu
grep -q rn names.txt
