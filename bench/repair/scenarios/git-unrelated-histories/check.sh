#!/usr/bin/env bash
set -eu
[ "$(cat old.txt)" = old ] && [ "$(cat new.txt)" = new ]
