#!/usr/bin/env bash
set -eu
grep -q 'visits *5' reports/2026/november.txt
