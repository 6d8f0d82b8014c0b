#!/usr/bin/env bash
set -eu
printf 'cmake_minimum_required(VERSION 3.10)\nproject(hi NONE)\nfile(WRITE ${CMAKE_BINARY_DIR}/made.txt here)\n' > CMakeLists.txt
mkdir work
printf '# a cache\nCMAKE_CACHEFILE_DIR:INTERNAL=/elsewhere/work\nCMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n' > work/CMakeCache.txt
