#!/usr/bin/env bash
set -eu
printf 'cmake_minimum_required(VERSION 3.10)\nproject(hi C)\nadd_executable(hi hi.c)\n' > CMakeLists.txt
echo 'int main(void) { return 0; }' > hi.c
