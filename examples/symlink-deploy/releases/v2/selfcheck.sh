#!/bin/bash
cd "$(dirname "$0")" && echo "$(cat VERSION) is fine"
