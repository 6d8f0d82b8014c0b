#!/usr/bin/env bash
set -eu
echo good > tool && sha256sum tool > tool.sum && echo evil > tool
sha256sum tool.sum > ../sums
