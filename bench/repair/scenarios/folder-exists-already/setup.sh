#!/usr/bin/env bash
set -euo pipefail
mkdir cache && echo kept > cache/old
