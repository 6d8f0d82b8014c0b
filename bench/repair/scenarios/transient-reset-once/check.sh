#!/usr/bin/env bash
set -eu
grep -q EUR rates.txt
