#!/usr/bin/env bash
set -eu
grep -q '"a", "b"' table.json
