#!/usr/bin/env bash
set -eu
tar -tzf backups/daily/notes.tgz | grep -q notes/a.md
