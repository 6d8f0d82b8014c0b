#!/usr/bin/env bash
set -eu
mkdir wheels
python3 - <<'PY'
import zipfile
with zipfile.ZipFile('wheels/goodwords-1.2.0-py3-none-any.whl', 'w') as wheel:
    wheel.writestr('goodwords/__init__.py', 'def check(text):\n    return "fine" if "teh" not in text else "bad"\n')
    wheel.writestr('goodwords-1.2.0.dist-info/METADATA', 'Metadata-Version: 2.1\nName: goodwords\nVersion: 1.2.0\n')
    wheel.writestr('goodwords-1.2.0.dist-info/WHEEL', 'Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n')
    wheel.writestr('goodwords-1.2.0.dist-info/RECORD', '')
PY
printf 'import sys\nimport goodwords\nprint(goodwords.check(open(sys.argv[1]).read()))\n' > check.py
echo 'the text' > text.txt
