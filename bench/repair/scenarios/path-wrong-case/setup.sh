#!/usr/bin/env bash
set -eu
mkdir chapters && echo one > chapters/1.txt && echo two > chapters/2.txt
