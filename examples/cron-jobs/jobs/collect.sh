#!/bin/sh
# Stands for something slow that asks every sensor.
for sensor in north east south west; do
  printf '%s %s\n' "$sensor" "$(printf %s "$sensor" | wc -c)"
done
