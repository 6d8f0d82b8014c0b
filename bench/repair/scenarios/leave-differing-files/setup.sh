#!/usr/bin/env bash
set -eu
echo a > original.txt && echo b > restored.txt
