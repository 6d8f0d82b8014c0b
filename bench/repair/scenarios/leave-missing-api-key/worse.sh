#!/usr/bin/env bash
set -euo pipefail
[ ! -s weather.txt ]
