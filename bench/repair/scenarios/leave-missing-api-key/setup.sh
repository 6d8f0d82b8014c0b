#!/usr/bin/env bash
set -eu
printf 'WEATHER_API_KEY=your-key-here\n' > .env.example
printf 'import os, sys\nif not os.environ.get("WEATHER_API_KEY"):\n    sys.exit("WEATHER_API_KEY is not set")\nprint("sunny")\n' > weather.py
sha256sum weather.py > ../sums
