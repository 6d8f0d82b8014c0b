#!/usr/bin/env bash
set -euo pipefail
grep -q 'debug = off' settings.ini
