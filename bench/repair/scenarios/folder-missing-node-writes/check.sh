#!/usr/bin/env bash
set -euo pipefail
grep -q getTeam generated/client.js
