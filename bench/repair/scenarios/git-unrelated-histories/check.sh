#!/usr/bin/env bash
set -euo pipefail
[ "$(cat old.txt)" = old ] && [ "$(cat new.txt)" = new ]
