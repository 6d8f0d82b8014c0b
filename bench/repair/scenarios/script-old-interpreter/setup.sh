#!/usr/bin/env bash
set -eu
printf '#!/usr/bin/python2\nimport sys\nprint("%%d items" %% len(open(sys.argv[1]).readlines()))\n' > inventory
chmod +x inventory
printf 'a\nb\n' > items.txt
