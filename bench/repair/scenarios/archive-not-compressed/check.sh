#!/usr/bin/env bash
set -eu
[ "$(cat settings/theme)" = dark ]
