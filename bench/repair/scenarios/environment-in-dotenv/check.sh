#!/usr/bin/env bash
set -eu
[ "$(cat service.conf)" = 'queue queue-7' ]
