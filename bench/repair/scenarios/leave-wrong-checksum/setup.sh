#!/usr/bin/env bash
set -euo pipefail
echo good > tool && sha256sum tool > tool.sum && echo evil > tool
sha256sum tool.sum > ../sums
