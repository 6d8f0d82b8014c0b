#!/usr/bin/env bash
set -eu
[ "$(cat out.html)" = built ]
