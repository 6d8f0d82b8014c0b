#!/usr/bin/env bash
set -eu
test -f rendered.markdown
