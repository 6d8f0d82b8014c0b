#!/usr/bin/env bash
set -eu
grep -q 4 report.txt
