#!/usr/bin/env bash
set -eu
mkdir website && echo hi > website/index.html
