#!/usr/bin/env bash
set -eu
[ ! -e deployed.txt ] && [ ! -e .env ]
