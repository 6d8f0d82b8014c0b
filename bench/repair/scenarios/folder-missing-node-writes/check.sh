#!/usr/bin/env bash
set -eu
grep -q getTeam generated/client.js
