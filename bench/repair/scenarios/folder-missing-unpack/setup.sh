#!/usr/bin/env bash
set -eu
mkdir bin && echo go > bin/run.txt && tar -czf release.tgz bin && rm -r bin
