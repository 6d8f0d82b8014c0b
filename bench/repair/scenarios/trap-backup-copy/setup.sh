#!/usr/bin/env bash
set -eu
mkdir backup; echo old > backup/settings.ini
