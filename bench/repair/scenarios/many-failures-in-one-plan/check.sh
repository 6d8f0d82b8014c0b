#!/usr/bin/env bash
set -eu
tar -xzOf release/handbook.tgz build/handbook.md | grep -q '^2: # Two'
