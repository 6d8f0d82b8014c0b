#!/usr/bin/env bash
set -euo pipefail
[ "$(cat archive/jan.log)" = j ] && [ "$(cat archive/feb.log)" = f ]
