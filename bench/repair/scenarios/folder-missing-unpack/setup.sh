#!/usr/bin/env bash
set -euo pipefail
mkdir bin && echo go > bin/run.txt && tar -czf release.tgz bin && rm -r bin
