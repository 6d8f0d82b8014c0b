#!/usr/bin/env bash
set -euo pipefail
[ "$(cat out.html)" = built ]
