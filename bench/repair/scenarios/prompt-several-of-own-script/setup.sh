#!/usr/bin/env bash
set -eu
cat > prepare.sh <<'X'
#!/usr/bin/env bash
set -e
echo 'Set up the site? [y/n]'
read answer
test "$answer" = y
echo 'Folder [site]:'
read folder
mkdir "${folder:-site}"
X
chmod +x prepare.sh
