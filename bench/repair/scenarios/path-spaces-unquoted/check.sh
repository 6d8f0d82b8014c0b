#!/usr/bin/env bash
set -eu
[ "$(cat 'backup/Annual Report 2025.txt')" = profits ]
