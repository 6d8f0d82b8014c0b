import type { ShellScope } from '../../scope.ts';
import { isSecret } from '../../secret-paths.ts';
import type { SimpleCommand } from '../../types.ts';
import { programs, verbs } from '../table.ts';
import { isInside } from '../trust.ts';
import type { Reading, SafeCheck } from '../types.ts';

/** Programs with a language of their own: their options are in the tables, their text is proven here. */

/** awk: no command, file, coprocess or environment in the program, and no function that is not known. */
const functions =
  /^(?:length|substr|index|split|sub|gsub|gensub|match|sprintf|tolower|toupper|sqrt|int|log|exp|sin|cos|atan2|rand|srand|strftime|systime|mktime|strtonum|and|or|xor|if|while|for|in|print|printf|return|delete|do|else|BEGIN|END)$/;
function awk({ operands }: Reading): boolean {
  const program = (operands[0]?.value ?? '').replaceAll('||', ' ');
  if (/[|`@\\]|getline|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|>>/.test(program)) return false;
  const calls = [...program.matchAll(/\b\d*([A-Za-z_]\w*)\s*\(/g)].map((match) => match[1] ?? '');
  if (!calls.every((name) => functions.test(name))) return false;
  // What never ends fills memory.
  if (/\b(?:while|do)\b|\bfor\s*\([^;)]*;\s*[;1]/.test(program)) return false;
  if (/%[^%a-zA-Z]*\d{5}/.test(program)) return false;
  return !program.includes('>') || !/\bprintf?\b/.test(program) || onlyCompares(program);
}

/** `NR>1 {…}`: it stands before the braces, and nothing could hide where these are. */
function onlyCompares(program: string): boolean {
  if (program.includes('"') || program.split('/').length > 2) return false;
  let depth = 0;
  for (const sign of program) {
    if (sign === '{') depth++;
    else if (sign === '}') depth--;
    else if (sign === '>' && depth !== 0) return false;
  }
  return true;
}

/** sed: plain addresses with p, d, q, = and the like, y, and s without the flags that write or run. */
const address = String.raw`(?:(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/I?)(?:,(?:[+~]?\d+|\$|/(?:[^/\\\n]|\\.)*/I?))?[ \t]{0,4}!?[ \t]{0,4})?`;
const marks = /[/|#,@!]|(?<!\[):(?!\])/;
const action = String.raw`(?:[pdqQ=lgGhHxDNnP]|s([/|#,:@!])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiI0-9]*|y/(?:[^/\\\n]|\\.)*/(?:[^/\\\n]|\\.)*/)`;
const script = new RegExp(
  `^${address}${action}(?:[ \\t]{0,4};[ \\t]{0,4}${address}(?:[pdqQ=lgGhHxDNnP]))*[ \\t]{0,4};?$`,
);
function sed({ operands, values }: Reading): boolean {
  const given = values.get('-e') ?? [];
  const scripts = given.length > 0 ? given : [operands[0]?.value ?? ''];
  // Where brackets hold what ends a pattern, seds disagree about where it ends.
  return scripts.every((text) => script.test(text) && !isBracketed(text));
}
const isBracketed = (text: string): boolean =>
  [...text.matchAll(/\[\^?\]?(?:\[([:.=]).*?\1\]|[^\]])*\]?/g)].some(([found]) => marks.test(found));

const pureFunctions =
  /^(?:count|sum|avg|min|max|now|version|length|lower|upper|coalesce|round|abs|date|substr|substring|trim|cast|in|and|or|as|values|current_date|json_extract|strftime|over|from|where|not|exists|any|using|on)$/i;

/** A single SELECT and nothing that writes, locks, copies or calls a function that may. */
const readsSql = (sql: string): boolean =>
  // What is hidden from us, as a comment between a function and its parenthesis, is not.
  !/\/\*|--|[^\t\x20-\x7e]/.test(sql) &&
  /^\s*(?:(?:SELECT|EXPLAIN(?!\s+(?:ANALY[ZS]E|\())|SHOW|DESCRIBE|DESC)\b[^;\\\n]*;?|\\(?:d[tvimsnfu]?|l|z|conninfo)\+?|\.(?:tables|schema|databases|indexes))\s*$/i.test(
    sql,
  ) &&
  [...sql.matchAll(/([\w.$"]+)\s*\(/g)].every((match) => pureFunctions.test(match[1] ?? '')) &&
  !/\b(?:INTO|INSERT|UPDATE|DELETE|DROP|ALTER|CREATE|COPY|CALL|EXECUTE|TRUNCATE|GRANT|LOCK|pg_\w+|lo_\w+|dblink\w*|nextval|setval|load_\w+|writefile|readfile|edit|sleep|benchmark|OUTFILE|DUMPFILE|ATTACH|DETACH|INSTALL|LOAD|EXPORT|read_\w+|glob|set_config|PROCEDURE|HANDLER)\b|FOR\s+(?:UPDATE|SHARE)|@@?\w+\s*:?=/i.test(
    sql,
  );

/** All that a client is given to run: by options, and the operands from this one on. Nothing from its input. */
const queries =
  (options: readonly string[], from = Number.POSITIVE_INFINITY, quoted = true) =>
  ({ operands, values }: Reading, { stdin }: SimpleCommand): boolean => {
    const given = [
      ...options.flatMap((name) => values.get(name) ?? []),
      ...operands.slice(from).map((arg) => arg.value),
    ];
    // duckdb opens what is quoted behind FROM, a file or an address.
    return (
      stdin.kind === 'none' &&
      given.length > 0 &&
      given.every((sql) => readsSql(sql) && (quoted || !/['"]/.test(sql)))
    );
  };

/** find, without what its -exec starts: that is judged by itself. */
const findRows = programs(
  `find gfind ; -H -L -P -O0 -O1 -O2 -O3 -d -depth -mount -xdev -x -s -E -X -follow -daystart -noleaf -warn -nowarn
    -ignore_readdir_race -noignore_readdir_race -empty -readable -writable -executable -nouser -nogroup -true -false -not
    -and -or -a -o -prune -print -print0 -ls -quit -help -version -f= -maxdepth=num -mindepth=num -name= -iname= -path=
    -ipath= -wholename= -iwholename= -regex= -iregex= -regextype= -lname= -ilname= -type= -xtype= -size= -newer= -anewer=
    -cnewer= ${['a', 'B', 'c', 'm'].flatMap((one) => ['a', 'B', 'c', 'm', 't'].map((other) => `-newer${one}${other}=`)).join(' ')}
    -mtime= -atime= -ctime= -mmin= -amin= -cmin= -used= -user= -group= -uid= -gid= -perm= -links= -inum= -samefile= -fstype=
    -printf= -context= -flags= -xattr -xattrname= ; words`,
  { single: true },
);
const find = findRows[0]?.[1] as SafeCheck;
function isFind(command: SimpleCommand, scope: ShellScope): boolean {
  const args: SimpleCommand['args'][number][] = [];
  let inner = false;
  for (const [i, arg] of command.args.entries()) {
    if (!inner && !/^-exec(?:dir)?$/.test(arg.value)) args.push(arg);
    else inner = !(arg.value === ';' || (arg.value === '+' && command.args[i - 1]?.value === '{}'));
  }
  // What it starts may show what it is told to look for, and whatever lies outside.
  const started = command.args.filter((_, i) => /^-exec/.test(command.args[i - 1]?.value ?? ''));
  if (started.length > 0 && args.some(({ value }) => isSecret(value, scope))) return false;
  const roots = args.slice(0, args.findIndex(({ value }) => /^[-!(]./.test(value)) >>> 0);
  const shows = started.some(
    ({ value }) => !/^(?:ls|stat|file|du|wc|echo|basename|dirname|realpath|readlink|test)$/.test(value),
  );
  if (shows && !(isInside('.', scope) && roots.every(({ value }) => isInside(value, scope)))) return false;
  return !inner && find({ ...command, args }, scope);
}

export const dataRows = [
  ...findRows.map(([name]) => [name, isFind] as const),
  ...programs('awk gawk mawk nawk ; . -Fv= ; files 1+', { also: awk }),
  ...programs(
    'sed gsed ; -nErsuz -e= --debug --help --null-data --posix --quiet --regexp-extended --sandbox --separate --silent --unbuffered --version ; files',
    { also: sed },
  ),
  ...programs(
    'jq ; -acCeMnrRsSj --arg== --argjson== --args --ascii-output --color-output --compact-output --exit-status --indent=num --join-output --jsonargs --monochrome-output --null-input --raw-input --raw-output --raw-output0 --seq --slurp --sort-keys --stream --tab ; files',
    {
      also: ({ operands }) =>
        !/(?<![.\w])env\b|\$(?:ENV|__prog|[\s#])|\b(?:import|include|modulemeta|get_search_list|input_filename|repeat|until|while|def|infinite)\b|\brecurse\s*\(|\d{7}|\de\+?\d/i.test(
          operands[0]?.value ?? '',
        ),
    },
  ),
  ...programs(
    'yq ; -rCMPeNnj -opI=name --colors --exit-status --indent=num --input-format=name --no-colors --no-doc --null-input --output-format=name --prettyPrint --unwrapScalar ; files',
    {
      also: ({ operands }) =>
        operands.every(
          ({ value }, i) =>
            (i === 0 && /^e(?:val)?(?:-?a(?:ll)?)?$/.test(value)) ||
            !/\b(?:env|strenv|load\w*|envsubst|system|exec|eval)\b|\$(?:ENV|__|[\s#])/.test(value),
        ),
    },
  ),
  ...programs(
    'psql ; -lAtqxXnwH -c= -FR= -p=num -h=local -Ud=name --command= --csv --dbname=name --expanded --html --host=local --list --no-align --no-psqlrc --port=num --quiet --tuples-only --username=name --no-password ; name 2',
    {
      kinds: { local: /^(?:localhost|127\.0\.0\.1|::1)$/, name: /^\w[\w.-]*$/ },
      also: (reading, command) =>
        queries(['-c', '--command'])(reading, command) ||
        (['-l', '--list'].some((name) => reading.values.has(name)) &&
          !['-c', '--command'].some((name) => reading.values.has(name))),
    },
  ),
  ...programs(
    'mysql mariadb ; -NBtsEHX -e= -h=local -P=num -uD=name --execute= --batch --database=name --host=local --html --port=num --skip-column-names --table --user=name --vertical --xml ; name 1',
    {
      kinds: { local: /^(?:localhost|127\.0\.0\.1|::1)$/, name: /^\w[\w.-]*$/ },
      also: queries(['-e', '--execute']),
    },
  ),
  ...programs(
    'sqlite3 ; -json -csv -header -noheader -column -line -list -readonly -safe -bail -box -table -markdown -html -ascii -quote -separator= -nullvalue= -newline= -cmd= ; database',
    { single: true, kinds: { database: /^(?!\w+:)/ }, also: queries(['cmd'], 1) },
  ),
  ...programs(
    'duckdb ; -json -csv -header -noheader -column -line -list -readonly -safe -bail -box -table -markdown -html -ascii -quote -separator= -nullvalue= -c= -s= -cmd= ; database',
    { single: true, kinds: { database: /^(?!\w+:)/ }, also: queries(['c', 's', 'cmd'], 1, false) },
  ),
  ...verbs(
    'redis-cli',
    '',
    `
    ping, PING, dbsize, DBSIZE, time, TIME, lastsave, info, INFO ; ; name 1
    ttl, TTL, type, TYPE, exists, EXISTS, strlen, STRLEN, llen, LLEN, scard, SCARD ; ; name 1-1
  `,
  ),
  ...verbs(
    'openssl',
    '',
    `
    version ; -a -v -b -d -o -p ;
    list ; -commands -digest-commands -digest-algorithms -cipher-commands -cipher-algorithms -public-key-algorithms ;
    x509 ; !-noout -in=local -inform=name -text -subject -issuer -dates -enddate -startdate -fingerprint -sha1 -sha256 -sha512 -md5 -serial -modulus -pubkey -ext=name -email -hash -subject_hash -issuer_hash -purpose -checkend=num -nameopt=name -certopt=name ;
  `,
    { single: true },
  ),
];
