#!/usr/bin/env bash
set -euo pipefail
mkdir config && printf '[app]\ndebug = on\n' > config/application.ini
