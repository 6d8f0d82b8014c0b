#!/usr/bin/env bash
set -eu
grep -q '"Ada"' people.json
