#!/usr/bin/env bash
set -eu
echo profits > 'Annual Report 2025.txt'
echo other > other.txt
