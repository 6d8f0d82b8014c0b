#!/usr/bin/env bash
set -euo pipefail
[ "$(cat notes.txt)" = hello ]
