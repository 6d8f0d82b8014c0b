#!/usr/bin/env bash
set -eu
grep -q 15 out/stats/summary.json
