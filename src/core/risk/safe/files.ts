import { UNKNOWN } from '../../shell/index.ts';
import { operands, option, optionValue } from '../args.ts';
import type { SimpleCommand } from '../types.ts';
import { limited, type SafeCheck, table } from './types.ts';

/** Any argument at all is harmless, even one that is only known when it runs. */
const anything: SafeCheck = () => true;

/** Shows names, sizes and sums, not content: any file will do, but not a list of files read from one. */
const metadata: SafeCheck = (command) =>
  !command.args.some((arg) => /^--(?:files0-from|exclude-from|check)/.test(arg.value));

/** No option writes or runs anything; the files must be known, because their content is shown. */
const reader = (command: SimpleCommand): boolean =>
  !command.open &&
  command.args.every(
    (arg) => !arg.value.includes(UNKNOWN) && !/^\/dev\/(?!null$|stdin$|fd\/0$)/.test(arg.value),
  );

const nameOptions = limited({ options: /^-[46txva]$|^-type=\w+$/, valued: '-t -x' });
const pagerOptions = limited({ options: /^-[eEFgiIJmMnNqQrRsSuUwWXdflcp]+$/, minOperands: 1 });

const isOutput = (value: string): boolean =>
  value === '-' || value === '/dev/null' || value === '/dev/stdout';

/** Programs of every system that only read files or the state of the machine. */
export const fileChecks: readonly [string, SafeCheck][] = [
  ...table(
    'echo true false : pwd basename dirname seq sleep whoami id groups users logname tty nproc uname arch uptime free who w lscpu lsblk lsusb lspci lsmem getconf locale sw_vers vm_stat cal ncal sum',
    anything,
  ),
  ...table(
    'ls dir vdir stat du df realpath readlink wc cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum md5 shasum eza exa lsd',
    metadata,
  ),
  ...table(
    'cat tac head tail nl cut tr cmp comm diff paste fold fmt expand unexpand rev join od hexdump hd strings grep egrep fgrep zgrep column look tsort numfmt factor',
    reader,
  ),
  ...table('pgrep pidof which whereis lsof vmstat iostat', reader),
  // Without a dash, `e` shows the environment of processes.
  ['ps', (command) => reader(command) && !command.args.some((arg) => /^[a-z]*e/i.test(arg.value))],
  ['getent', (command) => reader(command) && !/shadow/.test(command.args[0]?.value ?? '')],
  ['printf', (command) => !command.args[0]?.value.startsWith('-')],
  ['test', (command) => !command.args.some((arg) => arg.value === '-v' || arg.value === '-R')],
  ['[', (command) => !command.args.some((arg) => arg.value === '-v' || arg.value === '-R')],
  ['cd', (command) => operands(command).length <= 1 && command.args.every((arg) => arg.literal)],
  ['type', reader],
  ['hash', limited({ options: /^-t$/, minOperands: 1 })],
  ['command', limited({ options: /^-[vV]$/, minOperands: 1, maxOperands: 1 })],
  ['hostname', limited({ options: /^-[fsdiIA]$/, maxOperands: 0 })],
  [
    'date',
    (command) =>
      dateOptions(command) &&
      !command.args.some((arg, i) => /^\d/.test(arg.value) && !/^-/.test(command.args[i - 1]?.value ?? '')),
  ],
  ['sort', (command) => sortOptions(command) && outputs(command)],
  [
    'uniq',
    limited({
      options: /^-(?:[cdDiuz]+|-(?:count|repeated|unique|ignore-case|zero-terminated)|[fsw]\d*)$/,
      valued: '-f -s -w',
      maxOperands: 1,
    }),
  ],
  ['shuf', limited({ options: /^-(?:[erz]+|n\d*|i\d*|-(?:echo|repeat)|-head-count=\d+)$/, valued: '-n -i' })],
  [
    'file',
    limited({ options: /^(?:-[bihkLnNprsvz0I]+|--(?:brief|mime(?:-type|-encoding)?|dereference|version))$/ }),
  ],
  [
    'tree',
    limited({
      options:
        /^(?:-[adfghilnpqrstuvxACDFJNQSUX]+|-[LPI]|--(?:dirsfirst|noreport|gitignore|du|si|prune|filelimit=?\d*|charset=\S+))$/,
      valued: '-L -P -I',
    }),
  ],
  [
    'xxd',
    limited({
      options: /^-(?:[abeipuEv]+|[clsog]\d*|-help|-version|h)$/,
      valued: '-c -l -s -o -g',
      maxOperands: 1,
    }),
  ],
  [
    'base64',
    limited({
      options: /^(?:-[dDi]+|-w\d*|--(?:decode|ignore-garbage|wrap=\d+|help|version|copyright)|-u)$/,
      valued: '-w',
      maxOperands: 1,
    }),
  ],
  ['base32', limited({ options: /^(?:-[di]+|-w\d*|--(?:decode|wrap=\d+))$/, valued: '-w', maxOperands: 1 })],
  [
    'jq',
    (command) =>
      jqOptions(command) &&
      !command.args.some((arg) =>
        /\b(?:env|input_filename|getpath|debug)\b|\$ENV|\$__prog|import|include/.test(arg.value),
      ),
  ],
  [
    'yq',
    (command) =>
      yqOptions(command) &&
      !command.args.some((arg) =>
        /\b(?:env|strenv|load\w*|envsubst|system|exec|eval|\$ENV)\b/.test(arg.value),
      ),
  ],
  [
    'rg',
    limited({
      options:
        /^(?:-[abcFhHiIlLnNopqsSuUvVwx0P.]+|-[ABCEegmMtTdjr]\S*|--(?:json|files|hidden|no-ignore\S*|ignore-case|smart-case|fixed-strings|line-number|no-line-number|count|count-matches|files-with-matches|files-without-match|glob=?\S*|iglob=?\S*|type=?\S*|type-not=?\S*|type-list|color=?\S*|colors=\S*|context=?\d*|after-context=?\d*|before-context=?\d*|max-count=?\d*|max-depth=?\d*|heading|no-heading|no-filename|with-filename|only-matching|invert-match|word-regexp|multiline|pcre2|pretty|quiet|stats|sort=?\w*|sortr=?\w*|replace=?.*|trim|vimgrep|version|help|no-config|follow|text|null|column|no-messages|regexp=?.*))$/,
      valued:
        '-A -B -C -E -e -g -m -M -t -T -d -j -r --glob --iglob --type --type-not --color --context --after-context --before-context --max-count --max-depth --sort --sortr --replace --regexp',
    }),
  ],
  [
    'ag',
    limited({
      options: /^-(?:[acCfFilLnoQsSuUvwz]+|[ABCmG]\d*|-(?:hidden|nocolor|nogroup))$/,
      valued: '-A -B -C -m -G',
    }),
  ],
  ['less', (command) => pagerOptions(command) && !command.args.some((arg) => arg.value.startsWith('+'))],
  ['more', (command) => pagerOptions(command) && !command.args.some((arg) => arg.value.startsWith('+'))],
  [
    'bat',
    limited({
      options:
        /^(?:-[Apn]+|-l|-r|--(?:plain|number|style=\S+|color=\S+|paging=never|language=\S+|line-range=\S+))$/,
      valued: '-l -r',
    }),
  ],
  ['man', limited({ options: /^-[kfw]$/ })],
  [
    'dmesg',
    limited({
      options:
        /^(?:-[HTwxtukLrePdSW]+|-[lfs]|--(?:ctime|color(?:=\w+)?|human|follow|decode|reltime|notime|userspace|kernel|nopager|level=\S+|facility=\S+|raw|json|since=?.*|until=?.*))$/,
      valued: '-l -f -s',
    }),
  ],
  [
    'journalctl',
    (command) =>
      !command.open &&
      command.args.every(
        (arg) =>
          arg.literal &&
          !/^--?(?:vacuum|rotate|flush|sync|relinquish|smart|update|setup|interval|force|cursor-file|root|image|file|directory)/.test(
            arg.value,
          ) &&
          arg.value !== '-D',
      ),
  ],
  [
    'ping',
    (command) =>
      limited({
        options: /^-(?:[46nqDOv]+|[cwWiIst]\d*)$/,
        valued: '-c -w -W -i -I -s -t',
        minOperands: 1,
        maxOperands: 1,
      })(command) && command.args.some((arg) => /^-c/.test(arg.value)),
  ],
  ...table(
    'dig host nslookup',
    (command) =>
      nameOptions(command) && !command.args.some((arg) => /^(?:axfr|ixfr.*|any)$/i.test(arg.value)),
  ),
  ['ss', limited({ options: /^-[aehilmnoprstuwx46Oz]+$/ })],
  ['netstat', limited({ options: /^-[aegilnoprstuvwxW46]+$/ })],
  ['ifconfig', limited({ options: /^-[asv]$/, maxOperands: 1 })],
  [
    'mktemp',
    (command) =>
      limited({ options: /^(?:-u|--dry-run)$/, maxOperands: 1 })(command) &&
      command.args[0]?.value.startsWith('-') === true,
  ],
  [
    'tee',
    (command) =>
      command.args.every(
        (arg) =>
          arg.literal &&
          (/^-[ai]+$/.test(arg.value) ||
            isOutput(arg.value) ||
            arg.value === '/dev/stderr' ||
            arg.value === '/dev/stdin'),
      ),
  ],
  [
    'sysctl',
    (command) =>
      limited({ options: /^-[aAnNe]+$/ })(command) && !command.args.some((arg) => arg.value.includes('=')),
  ],
  [
    'iconv',
    limited({ options: /^(?:-[lcs]|-[ft]|--(?:list|version|from-code=\S+|to-code=\S+))$/, valued: '-f -t' }),
  ],
  ['xattr', limited({ options: /^-[lxrsv]+$/ })],
  [
    'gzip',
    (command) =>
      packed(
        command,
        /^(?:-[ltcdkvqN0-9]+|--(?:list|test|stdout|to-stdout|decompress|verbose|keep))$/,
        /^-\w*[ltc]|^--(?:list|test|stdout|to-stdout)$/,
      ),
  ],
  ...table('gunzip bzip2 bunzip2 xz unxz zstd', (command) =>
    packed(
      command,
      /^(?:-[ltcdkv]+|--(?:list|test|stdout|decompress))$/,
      /^-\w*[ltc]|^--(?:list|test|stdout)$/,
    ),
  ),
  ...table('zcat bzcat xzcat zstdcat', reader),
  ['unzip', (command) => packed(command, /^-[lvtpzZqC12shm]+$/, /^-[lvtzZp]/)],
  ['zipinfo', reader],
  ...table(
    '7z 7za 7zz 7zr',
    (command) =>
      command.args.every((arg) => arg.literal && !arg.glob) &&
      (command.args.length === 0 || /^(?:l|t|h|b|i|-h|--help)$/.test(command.args[0]?.value ?? '')) &&
      !option(command, 'owy'),
  ),
];

const sortOptions = limited({
  options:
    /^(?:-[bdfghiMnRrVcCmsuz]+|-[kt].*|-[kt]|-S\S*|-o.*|--(?:ignore-leading-blanks|dictionary-order|ignore-case|general-numeric-sort|human-numeric-sort|ignore-nonprinting|month-sort|numeric-sort|random-sort|reverse|version-sort|check\S*|merge|stable|unique|zero-terminated|key=\S+|field-separator=.+|buffer-size=\S+|parallel=\d+|debug|sort=\w+|batch-size=\d+|output(?:=.*)?))$/,
  valued: '-k -t -S -o --output --key --field-separator',
});

const dateOptions = limited({
  options: /^(?:-[uIR]|-I\w+|--utc|--iso-8601(?:=\w+)?|--rfc-\d+(?:=\w+)?|-d|--date(?:=.*)?|-r)$/,
  valued: '-d --date -r',
  maxOperands: 1,
});

const yqOptions = limited({
  options:
    /^(?:-[rCMPeNn]+|-[op]\S*|--(?:output-format|input-format)(?:=\S+)?|--(?:no-colors|colors|prettyPrint|unwrapScalar|exit-status|null-input|no-doc))$/,
  valued: '-o -p --output-format --input-format',
});

const jqOptions = limited({
  options:
    /^(?:-[acCeMnrRsSj]+|--(?:arg|argjson|slurp|raw-output|compact-output|null-input|exit-status|sort-keys|tab|indent|join-output|raw-input|color-output|monochrome-output|seq|stream|ascii-output))$/,
  valued: '--indent',
});

const outputs = (command: Parameters<SafeCheck>[0]): boolean => {
  const target = optionValue(command, '-o', '--output');
  return target === undefined || isOutput(target.value);
};

/** An archiver that only lists, tests or prints: every option known, and one that says so. */
function packed(command: Parameters<SafeCheck>[0], options: RegExp, reads: RegExp): boolean {
  return limited({ options })(command) && command.args.some((arg) => reads.test(arg.value));
}
