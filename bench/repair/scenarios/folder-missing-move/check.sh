#!/usr/bin/env bash
set -eu
[ "$(cat archive/jan.log)" = j ] && [ "$(cat archive/feb.log)" = f ]
