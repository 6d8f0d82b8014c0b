#!/usr/bin/env bash
set -eu
mkdir publish.lock
