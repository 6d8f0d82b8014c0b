#!/usr/bin/env bash
set -eu
grep -q ready state.json
