import { operands, option, optionValues } from '../args.ts';
import type { SimpleCommand } from '../types.ts';
import { limited, type SafeCheck, table } from './types.ts';

const literal = (command: SimpleCommand): boolean =>
  !command.open && command.args.every((arg) => arg.literal && !arg.glob);

/** find: every word that starts with a dash must be a test or an action that only prints. */
const findTests =
  /^-(?:H|L|P|O\d|d|depth|maxdepth|mindepth|mount|xdev|x|s|E|follow|daystart|i?name|i?path|i?wholename|i?regex|regextype|i?lname|type|xtype|size|empty|newer\w*|[amc]?newer|anewer|cnewer|[amc]time|[amc]min|used|user|group|uid|gid|nouser|nogroup|perm|links|inum|samefile|readable|writable|executable|fstype|true|false|not|and|or|a|o|prune|print|print0|printf|ls|quit|noleaf|ignore_readdir_race|noignore_readdir_race|warn|nowarn|help|version|context|f|flags|xattr|xattrname|depth|nowarn)$/;

const isFind: SafeCheck = (command) => {
  let inner = false;
  for (const arg of command.args) {
    if (inner) {
      if (arg.value === ';' || arg.value === '+') inner = false;
      continue;
    }
    if (!arg.literal) return false;
    if (/^-exec(?:dir)?$/.test(arg.value)) inner = true;
    else if (arg.value.startsWith('-') && !/^-\d/.test(arg.value) && !findTests.test(arg.value)) return false;
  }
  return !inner && !command.open;
};

/** awk: no command, file or coprocess in the program. */
const isAwk: SafeCheck = (command) => {
  if (
    !literal(command) ||
    command.args.some((arg) =>
      /^(?:-[filEdpDo]|--(?:file|include|load|exec|debug|profile|dump|pretty))/.test(arg.value),
    )
  )
    return false;
  if (!limited({ options: /^(?:-F.*|-v.*)$/, valued: '-F -v', minOperands: 1 })(command)) return false;
  const program = operands(command, '-F -v')[0]?.value ?? '';
  if (/[|`@\\]|\b(?:system|getline|close|fflush|ENVIRON|extension|include|load|eval)\b|>>/.test(program))
    return false;
  return !/>/.test(program) || !/\bprintf?\b/.test(program);
};

/** sed: a script of plain addresses with p, d, q, =, and s without the flags that write or run. */
const isSed: SafeCheck = (command) => {
  if (
    !limited({
      options: /^(?:-[nErsuz]+|-e|--(?:quiet|silent|regexp-extended|posix|null-data))$/,
      valued: '-e',
      minOperands: 0,
    })(command)
  )
    return false;
  const scripts = optionValues(command, '-e').map((arg) => arg.value);
  const script = scripts.length > 0 ? scripts : [operands(command)[0]?.value ?? ''];
  return script.every((text) => sedScript.test(text));
};
const sedAddress = String.raw`(?:(?:\d+|\$|/(?:[^/\\\n]|\\.)*/I?)(?:,(?:[+~]?\d+|\$|/(?:[^/\\\n]|\\.)*/I?))?[ \t]{0,4}!?[ \t]{0,4})?`;
const sedAction = String.raw`(?:[pdqQ=lgGhHxDNnP]|s([/|#,:@!])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiI0-9]*|y/(?:[^/\\\n]|\\.)*/(?:[^/\\\n]|\\.)*/)`;
const sedScript = new RegExp(
  `^${sedAddress}${sedAction}(?:[ \\t]{0,4};[ \\t]{0,4}${sedAddress}(?:[pdqQ=lgGhHxDNnP]))*[ \\t]{0,4};?$`,
);

const pureFunctions =
  /^(?:count|sum|avg|min|max|now|version|length|lower|upper|coalesce|round|abs|date|substr|substring|trim|cast|in|and|or|as|values|current_date|json_extract|strftime|over|from|where|not|exists|any|using|on)$/i;

/** A single SELECT and nothing that writes, locks, copies or calls a function that may. */
const readsSql = (sql: string): boolean =>
  /^\s*(?:(?:SELECT|EXPLAIN(?!\s+ANALY[ZS]E)|SHOW|DESCRIBE|DESC)\b[^;\\\n]*;?|\\(?:d[tvimsnfu]?|l|z)\+?|\.(?:tables|schema|databases|indexes))\s*$/i.test(
    sql,
  ) &&
  [...sql.matchAll(/([\w.$"]+)\s*\(/g)].every((match) => pureFunctions.test(match[1] ?? '')) &&
  !/\b(?:INTO|INSERT|UPDATE|DELETE|DROP|ALTER|CREATE|COPY|CALL|EXECUTE|TRUNCATE|GRANT|LOCK|FOR\s+UPDATE|pg_\w+|lo_\w+|dblink\w*|nextval|setval|load_\w+|writefile|readfile|edit|sleep|benchmark|LOAD_FILE|OUTFILE|ATTACH|DETACH|INSTALL|LOAD|EXPORT|read_\w+|glob|set_config)\b/i.test(
    sql,
  );

const sqlClient =
  (code: readonly string[], options: RegExp, valued: string, operandSql: number | undefined): SafeCheck =>
  (command) => {
    if (!literal(command) || !limited({ options, valued })(command)) return false;
    if (command.stdin.kind !== 'none') return false;
    const given = optionValues(command, ...code).map((arg) => arg.value);
    const rest = operands(command, valued);
    if (operandSql !== undefined && rest.length > operandSql)
      given.push(...rest.slice(operandSql).map((arg) => arg.value));
    return given.length > 0 && given.every(readsSql);
  };

/** tar: listing only. */
const isTar: SafeCheck = (command) => {
  if (!literal(command)) return false;
  const [first] = command.args;
  const old = first !== undefined && /^[tvzjJf]+$/.test(first.value) && first.value.includes('t');
  const rest = old ? command.args.slice(1) : command.args;
  const options = rest.filter((arg) => arg.value.startsWith('-'));
  const lists = old || options.some((arg) => /^-[vzjJf]*t[vzjJf]*$|^--list$/.test(arg.value));
  return (
    lists &&
    options.every((arg) =>
      /^(?:-[tvzjJf]+|--list|--verbose|--file=.*|--gzip|--bzip2|--xz)$/.test(arg.value),
    ) &&
    !command.args.some((arg) => /^[^/]*:/.test(arg.value.replace(/^--file=/, '')))
  );
};

/** curl: fetches and prints. No upload, no method but GET and HEAD, no file written, no configuration read. */
const curlOptions =
  /^(?:-[fsSLIvkiGgN0-46#jZ]+|-[AHemrxuzEbQXwUyY]|--(?:silent|show-error|location|location-trusted|head|verbose|insecure|include|get|fail|fail-with-body|compressed|ipv4|ipv6|http1\.0|http1\.1|http2|http3|tlsv1\.\d|ssl|ssl-reqd|no-buffer|no-progress-meter|progress-bar|globoff|max-time|connect-timeout|retry|retry-delay|retry-max-time|user-agent|referer|header|range|time-cond|url|proxy|user|proxy-user|interface|resolve|limit-rate|speed-limit|speed-time|request|oauth2-bearer|raw|tcp-nodelay|anyauth|basic|digest|parallel|version|help|write-out|max-redirs|path-as-is|keepalive-time|ciphers|cacert|continue-at|quote)(?:=.*)?|-o)$/;
const curlValued =
  '-A -H -e -m -r -x -u -z -E -b -Q -X -w -U -y -Y -o --max-time --connect-timeout --retry --retry-delay --retry-max-time --user-agent --referer --header --range --time-cond --url --proxy --user --proxy-user --interface --resolve --limit-rate --speed-limit --speed-time --request --oauth2-bearer --write-out --max-redirs --keepalive-time --ciphers --cacert --continue-at --quote';
const isCurl: SafeCheck = (command) => {
  if (!literal(command) || !limited({ options: curlOptions, valued: curlValued })(command)) return false;
  const methods = optionValues(command, '-X', '--request').every((arg) =>
    /^(?:GET|HEAD|OPTIONS|TRACE)$/i.test(arg.value),
  );
  const outputs = optionValues(command, '-o').every((arg) =>
    /^(?:-|\/dev\/(?:null|stdout))$/.test(arg.value),
  );
  const quotes = optionValues(command, '-Q', '--quote').every((arg) =>
    /^(?:PWD|NLST|LIST|STAT|PASV|SYST|NOOP|TYPE|MDTM|SIZE|HELP)\b/.test(arg.value),
  );
  const files = command.args
    .map((arg) => arg.value.replace(/^--[\w-]+=/, ''))
    .every(
      (value) =>
        !/^@|^(?!https?:|ftps?:)[\w+.-]+:\/\/|169\.254\.|metadata|fd00:ec2|100\.100\.100\.200/i.test(value),
    );
  return (
    methods &&
    outputs &&
    quotes &&
    files &&
    optionValues(command, '-b', '-w', '--write-out').every(
      (arg) => !arg.value.startsWith('@') && !/%output/.test(arg.value) && arg.value !== '',
    )
  );
};

const isWget: SafeCheck = (command) =>
  literal(command) &&
  command.args.some((arg) => arg.value === '--spider') &&
  limited({
    options:
      /^(?:-[qvSNT46]+|--(?:spider|quiet|server-response|timeout(?:=\d+)?|tries(?:=\d+)?|no-check-certificate|no-verbose|max-redirect=\d+|user-agent=.*|method=(?:GET|HEAD)))$/,
    valued: '-T --timeout --tries',
  })(command);

/** ip: the objects, and no verb but show. */
const isIp: SafeCheck = (command) => {
  if (!literal(command)) return false;
  const rest = operands(command, '-n -netns -f -family -rc -loops');
  const options = command.args.every(
    (arg) =>
      !arg.value.startsWith('-') ||
      /^-{1,2}(?:4|6|s|stats|statistics|d|details|br|brief|o|oneline|j|json|p|pretty|c|color|h|human|r|resolve|t|timestamp|0|M|B|n|netns|f|family|a)$/.test(
        arg.value,
      ),
  );
  if (
    rest.length === 0 ||
    !options ||
    command.args.some((arg) => /^-b(?:atch)?$|^-force$|^-a(?:ll)?$/.test(arg.value))
  )
    return false;
  return (
    /^(?:a|addr|address|l|link|r|route|ro|neigh|n|neighbour|ru|rule|maddr|maddress|mroute|netconf|stats|tunnel|tuntap|netns|xfrm|tcp_metrics|token|ntable|vrf|sr|addrlabel|nexthop|mptcp)$/.test(
      rest[0]?.value ?? '',
    ) &&
    (rest.length === 1 || /^(?:show|s|sh|list|ls|lst|get|identify|pids)$/.test(rest[1]?.value ?? ''))
  );
};

export const programChecks: readonly [string, SafeCheck][] = [
  ['find', isFind],
  ['gfind', isFind],
  ...table('awk gawk mawk nawk', isAwk),
  ...table('sed gsed', isSed),
  ['tar', isTar],
  ['curl', isCurl],
  ['wget', isWget],
  ['ip', isIp],
  [
    'fd',
    (command) =>
      literal(command) &&
      !option(command, 'xX', 'exec', 'exec-batch') &&
      limited({
        options:
          /^(?:-[aHIuLpgFisl01q]+|-[tedEScjo]\S*|--(?:hidden|no-ignore|absolute-path|full-path|glob|follow|list-details|ignore-case|case-sensitive|fixed-strings|print0|quiet|type|extension|exclude|max-depth|min-depth|size|changed-within|changed-before|color|owner|max-results|unrestricted)(?:=\S+)?)$/,
        valued:
          '-t -e -d -E -S -c -j -o --type --extension --exclude --max-depth --size --changed-within --changed-before --owner',
      })(command),
  ],
  [
    'psql',
    sqlClient(
      ['-c', '--command'],
      /^(?:-[lAtqxXnw]+|-[hpUdcFR]|--(?:command=.*|list|tuples-only|no-align|csv|html|host=\S+|port=\d+|username=\S+|dbname=\S+|no-psqlrc|quiet|expanded))$/,
      '-h -p -U -d -c -F -R',
      undefined,
    ),
  ],
  [
    'mysql',
    sqlClient(
      ['-e', '--execute'],
      /^(?:-[NBtsE]+|-[huPDe]|--(?:execute=.*|host=\S+|user=\S+|port=\d+|database=\S+|batch|skip-column-names|table))$/,
      '-h -u -P -D -e',
      undefined,
    ),
  ],
  [
    'sqlite3',
    sqlClient(
      ['-cmd'],
      /^-(?:json|csv|header|column|line|list|readonly|box|table|markdown|separator|cmd)$/,
      '-separator -cmd',
      1,
    ),
  ],
  [
    'duckdb',
    sqlClient(
      ['-c', '-s', '-cmd'],
      /^-(?:json|csv|header|column|line|list|readonly|box|table|markdown|c|s|cmd)$/,
      '-c -s -cmd',
      1,
    ),
  ],
  [
    'openssl',
    (command) =>
      literal(command) &&
      (command.args[0]?.value === 'version' ||
        (command.args[0]?.value === 'x509' &&
          command.args.some((arg) => arg.value === '-noout') &&
          command.args
            .slice(1)
            .every((arg, i, all) =>
              !arg.value.startsWith('-')
                ? all[i - 1]?.value === '-in'
                : /^-(?:in|noout|text|subject|issuer|dates|enddate|startdate|fingerprint|serial|modulus|pubkey|ext|email|hash|purpose|inform|checkend)$/.test(
                    arg.value,
                  ),
            ))),
  ],
  ['script', () => false],
  ['caffeinate', limited({ options: /^-[dimsu]+$/, maxOperands: 0 })],
  ['arch', limited({ options: /^$/, maxOperands: 0 })],
];
