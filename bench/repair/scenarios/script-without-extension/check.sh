#!/usr/bin/env bash
set -euo pipefail
grep -q Suppe menu.de.txt
