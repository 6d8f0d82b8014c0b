#!/usr/bin/env bash
set -euo pipefail
mkdir settings && echo dark > settings/theme && tar -cf settings.tar settings && rm -r settings
