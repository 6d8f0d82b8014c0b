#!/usr/bin/env bash
set -eu
printf 'WORKERS=3\r\n' > up.conf; printf 'set -e\n. ./up.conf\nif [ "$WORKERS" -gt 2 ]; then touch up; else exit 3; fi\n' > up.sh
