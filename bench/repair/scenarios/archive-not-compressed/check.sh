#!/usr/bin/env bash
set -euo pipefail
[ "$(cat settings/theme)" = dark ]
