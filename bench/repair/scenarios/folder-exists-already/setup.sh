#!/usr/bin/env bash
set -eu
mkdir cache && echo kept > cache/old
