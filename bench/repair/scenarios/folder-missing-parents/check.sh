#!/usr/bin/env bash
set -eu
[ -f services/billing/src/main.txt ]
