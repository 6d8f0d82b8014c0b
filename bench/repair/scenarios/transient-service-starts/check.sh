#!/usr/bin/env bash
set -euo pipefail
grep -q ready state.json
