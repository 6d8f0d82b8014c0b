#!/usr/bin/env bash
set -eu
[ "$(cat active.ini)" = quiet ]
