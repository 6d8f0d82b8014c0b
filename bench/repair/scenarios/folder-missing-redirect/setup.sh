#!/usr/bin/env bash
set -euo pipefail
seq 1 5 > visits.log
