#!/usr/bin/env bash
set -eu
git init -q -b main .; echo keys.env > .gitignore; echo secret > keys.env
