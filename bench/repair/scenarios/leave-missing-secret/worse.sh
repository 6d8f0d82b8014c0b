#!/usr/bin/env bash
set -euo pipefail
[ ! -e deployed.txt ] && [ ! -e .env ]
