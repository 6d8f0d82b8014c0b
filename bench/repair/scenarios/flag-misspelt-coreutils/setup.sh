#!/usr/bin/env bash
set -eu
true
