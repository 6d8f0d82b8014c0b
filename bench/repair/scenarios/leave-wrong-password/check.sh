#!/usr/bin/env bash
set -euo pipefail
[ ! -s report.txt ]
