#!/usr/bin/env bash
set -eu
mkdir was; printf 'cmake_minimum_required(VERSION 3.10)\nproject(y C)\nadd_executable(tool tool.c)\n' > was/CMakeLists.txt; echo 'int main(void) { return 0; }' > was/tool.c; cmake -S was -B was/out > /dev/null; mv was lib
