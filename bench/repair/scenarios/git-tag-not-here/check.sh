#!/usr/bin/env bash
set -eu
git -C clone rev-parse -q --verify r3.2
