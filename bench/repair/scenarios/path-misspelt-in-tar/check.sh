#!/usr/bin/env bash
set -eu
tar -tzf site.tar.gz | grep -q website/index.html
