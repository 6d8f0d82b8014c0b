#!/usr/bin/env bash
set -euo pipefail
mkdir www && echo hello > www/notes.txt
