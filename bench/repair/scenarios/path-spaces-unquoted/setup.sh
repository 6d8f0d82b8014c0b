#!/usr/bin/env bash
set -euo pipefail
echo profits > 'Annual Report 2025.txt'
echo other > other.txt
