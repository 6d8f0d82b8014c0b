#!/usr/bin/env bash
set -eu
[ "$(cat firmware/image.bin)" = code ]
