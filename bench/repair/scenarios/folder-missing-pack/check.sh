#!/usr/bin/env bash
set -euo pipefail
tar -tzf backups/daily/notes.tgz | grep -q notes/a.md
