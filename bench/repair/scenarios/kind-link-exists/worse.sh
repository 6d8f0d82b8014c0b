#!/usr/bin/env bash
set -eu
[ "$(cat settings/staging.ini)" = loud ]
