/** What programs make of the words that they are given. One table: a program is in one row of it. */

type Takes = 'text' | 'verb and text' | 'names';

const table: Readonly<Record<Takes, string>> = {
  /** They print, search, send, compare or keep it. */
  text: `echo printf grep egrep fgrep zgrep ggrep rg ag ack git say notify-send wall logger cat tac bat less more head
  tail man tldr cheat whatis apropos info type which whereis command test [ expr jq gojq yq xq dasel curl wget
  http https xh httpie pgrep pkill ps export declare local readonly typeset set unset read mapfile readarray sed
  gsed awk gawk mawk nawk tee touch mkdir cp mv ln ls cd pushd history open xdg-open code cowsay figlet pbcopy
  jest vitest mocha pytest playwright ava phpunit rspec ctest xclip xsel wl-copy clip mail mailx sendmail mutt
  patch diff cmp comm sort uniq cut tr wc fold fmt column base64 base32 md5sum sha1sum sha256sum sha512sum xxd od
  hexdump rev nl paste join split iconv getopt getopts let return exit trap alias unalias bind complete compgen
  shopt hash help basename dirname realpath readlink stat file find gfind fd fdfind rm rmdir unlink`,
  /** What to do, and then messages, titles, names. */
  'verb and text': 'gh glab hub tea jira linear svn hg jj',
  /** Files, code, or verbs that have rules of their own; some of it may well be run. */
  names: `true false : make just task node python python3 ruby perl bash sh zsh sleep kill killall tar zip unzip gzip ssh
  scp rsync psql mysql sqlite3 redis-cli mongosh etcdctl rabbitmqctl rabbitmqadmin rename tree bundle rails rake
  mix dotnet go cargo-make vim vi nano emacs sudo doas env xargs time nice nohup timeout watch pip3 journalctl
  nginx service iptables ip nft ufw nmcli route tmutil security pass dscl seq yes crontab getent alembic flask
  prisma sequelize knex typeorm virtualenv gpg openssl ssh-keygen dpkg apt apt-get yum dnf pacman apk zypper rpm
  port choco winget scoop chmod chown zpool zfs btrfs lxd parted cryptsetup dbt spark-submit`,
};

const kinds = new Map<string, Takes>(
  (Object.keys(table) as Takes[]).flatMap((kind) =>
    table[kind].split(/\s+/).map((name): [string, Takes] => [name, kind]),
  ),
);

/** Whether a destructive command among the words of this program is only text to it. */
export function takesText(name: string): boolean {
  const kind = kinds.get(name);
  return kind === 'text' || kind === 'verb and text';
}

/** Whether `delete` as a word of this program is not what it is told to do. */
export function takesNoVerb(name: string): boolean {
  const kind = kinds.get(name);
  return kind === 'text' || kind === 'names';
}
