import { gitVerb } from './git.ts';
import { operands as operandsOf, optionValues } from './options.ts';
import type { StartedPlace, Words } from './started.ts';
import type { Target } from './target.ts';

const compiler = '-o --output';

/** Options whose value is a file, or a folder, that is written. */
const outputs: Readonly<Record<string, string>> = {
  curl: '-o --output --output-dir -c --cookie-jar -D --dump-header --trace --trace-ascii --stderr --etag-save --hsts',
  wget: '-O --output-document -P --directory-prefix -o --output-file -a --append-output --save-cookies',
  aria2c: '-o --out -d --dir -l --log',
  unzip: '-d',
  '7z': '-o',
  '7za': '-o',
  cpio: '-D --directory -O --file',
  sort: compiler,
  gcc: compiler,
  cc: compiler,
  'g++': compiler,
  clang: compiler,
  ld: compiler,
  openssl: '-out -keyout',
  pip: '-t --target --prefix --root -d --dest --src -w --wheel-dir',
  pip3: '-t --target --prefix --root -d --dest --src -w --wheel-dir',
  cmake: '-B --install-prefix --prefix',
  split: '--additional-suffix',
  find: '-fprint -fprint0 -fls -fprintf',
  gfind: '-fprint -fprint0 -fls -fprintf',
  patch: '-o --output -r --reject-file',
  csplit: '-f --prefix',
  screen: '-Logfile',
  rsync: '--backup-dir --partial-dir --log-file --write-batch',
  mysql: '--tee',
  mysqldump: '-r --result-file -T --tab',
  pg_dump: '-f --file',
  pg_dumpall: '-f --file',
  pg_basebackup: '-D --pgdata',
  mongodump: '-o --out --archive',
  psql: '-o --output -L --log-file',
  npm: '--pack-destination',
  javac: '-d -s -h',
  kotlinc: '-d',
  tsc: '--outDir --outFile --declarationDir',
  protoc: '--cpp_out --java_out --python_out --go_out --descriptor_set_out -o',
  helm: '-d --destination --output-dir',
  terraform: '-out --out -state-out',
  tofu: '-out --out -state-out',
  'ansible-galaxy': '-p --roles-path --collections-path',
  mktemp: '-p --tmpdir',
  vite: '--outDir',
  zip: '-b --temp-path',
};

/** What such options are called elsewhere: they count where their value leads out by its text. */
const usual =
  '-o --output --out --outfile --out-file --output-file --outdir --out-dir --output-dir --output-path --output-directory --dest --destination --dest-dir --target-dir --install-dir --log-file --logfile --export-dir --save-to --extract-to'.split(
    ' ',
  );
const mayName = /^-(?:[a-zA-Z]*o|-(?:out|dest|target-|install-|log|export-|save-|extract-))/;
const leadsOut = /^(?:\/|~|\.\.(?:\/|$))/;

/** They change the files, or make the folders, that are their operands: always, or with such an option or verb. */
const rewrites: Readonly<Record<string, RegExp>> = Object.fromEntries(
  (
    [
      [
        /^/,
        'black isort rustfmt dos2unix unix2dos mac2unix compress uncompress pigz unpigz lzip lz4 brotli rename prename file-rename mmv detox mogrify exiftool jpegoptim optipng strip patchelf install_name_tool nixfmt virtualenv mktemp setfattr',
      ],
      [/^(?:-w|--write)$/, 'prettier gofmt goimports gofumpt shfmt'],
      [/^-[a-zA-Z]*i|^--in-?place/, 'yq clang-format autopep8 yapf ruby'],
      [/^inplace$|^--include=inplace$/, 'awk gawk'],
      [
        /^(?:format|fmt|check|lint|new|init|venv|fix)$/,
        'ruff terraform tofu zig biome deno cargo uv sqlfluff go',
      ],
      [/^(?:-[aAx]|--auto-?correct\S*)$/, 'rubocop standardrb'],
      [/^-w$|^-d$/, 'xattr'],
      [/^(?:venv|zipfile|tarfile)$/, 'python python3'],
    ] as const
  ).flatMap(([when, names]) => names.split(' ').map((name) => [name, when])),
);
const tellsToWrite = /^--(?:write|fix|in-?place|reformat)$/;

/** Operands that lead out, of a program that changes what it is given. */
function rewritten(name: string, words: Words): StartedPlace[] {
  const when = Object.hasOwn(rewrites, name) ? rewrites[name] : undefined;
  const writes = words.some((word, at) => at > 0 && (tellsToWrite.test(word) || when?.test(word)));
  return writes ? places(operandsOf(words).filter((at) => leadsOut.test(words[at] ?? ''))) : [];
}

/** What the text of a client, or of an editor, names as a file to write. */
const savesTo =
  /(?:^|;)\s*(?:\.(?:output|once|backup|save|clone|log|excel|cd|archive)\s+(?:main\s+)?|ATTACH\s+(?:DATABASE\s+)?'|VACUUM\s+INTO\s+'|\\(?:o|w|g)\s+|\\?COPY\b[^;]*\bTO\s+')["']?(?=[/~.])/i;
const editorSaves =
  /^[:+]?(?:\S+\s*\|\s*)*(?:sil\w*!?\s+)?(?:w|write|sav|saveas|up|update|wq|x)!?\s+(?=[/~.])/;
const clients = /^(?:sqlite3?|duckdb|psql|mysql|mariadb)$/;
const editors = /^(?:n?vim?|ex|view|gvim|ed)$/;
const changesData = /\b(?:insert|update|delete|create|alter|replace|drop|vacuum|import|restore|reindex)\b/i;

function saved(name: string, words: Words): StartedPlace[] {
  if (editors.test(name)) return joint(words, editorSaves);
  if (!clients.test(name)) return [];
  const [file] =
    /^(?:sqlite|duckdb)/.test(name) && changesData.test(words.slice(1).join(' '))
      ? operandsOf(words, '-cmd -c -s -separator')
      : [];
  const data = file !== undefined && leadsOut.test(words[file] ?? '') ? places([file]) : [];
  return [...data, ...joint(words, savesTo)];
}
const joint = (words: Words, pattern: RegExp): StartedPlace[] =>
  words.flatMap((word, at) => {
    const found = at === 0 ? null : pattern.exec(word);
    return found ? [{ at, skip: found.index + found[0].length }] : [];
  });

/** Options that say in which folder it works. */
const folders: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      ['-C --directory', 'make gmake ninja bmake'],
      ['-C', 'go just meson bazel'],
      ['-C --manifest-path --root', 'cargo'],
      ['-f --file', 'mvn mvnw'],
      ['-p --project-dir', 'gradle gradlew'],
      ['--build', 'cmake'],
      ['-chdir', 'terraform tofu'],
      ['-p --project -b --build', 'tsc'],
      ['-C --dir --prefix', 'npm pnpm'],
      ['--cwd', 'yarn bun'],
      ['-d --directory', 'patch'],
      ['-C --directory --project', 'poetry uv'],
      ['-C --git-dir --work-tree', 'git'],
      ['-C --chdir', 'env'],
      ['-D --chdir', 'sudo'],
    ] as const
  ).flatMap(([options, names]) => names.split(' ').map((name) => [name, options])),
);

const gitReads =
  /^(?:status|log|diff|show|rev-parse|rev-list|ls-files|ls-tree|ls-remote|blame|describe|cat-file|grep|shortlog|check-ignore|merge-base|name-rev|for-each-ref|show-ref|count-objects|var|version|help)?$/;

const written = ({ at, skip }: StartedPlace): Target => ({
  index: at - 1,
  skip,
  follow: true,
  below: false,
  writes: true,
});

/** What a program writes by its options, by its subcommand, or as the archive that it makes. */
export function outputTargets(name: string, words: Words): Target[] {
  const valueAt = ({ at, skip }: StartedPlace): string => (words[at] ?? '').slice(skip);
  const own = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
  const named =
    own === undefined
      ? (words.some((word) => mayName.test(word)) ? optionValues(words, usual) : []).filter((place) =>
          leadsOut.test(valueAt(place)),
        )
      : optionValues(words, own.split(' ')).filter((place) => !/^(?:-|https?:)/.test(valueAt(place)));
  const works = Object.hasOwn(folders, name) && !(name === 'git' && gitReads.test(gitVerb(words).verb));
  const inside = works ? optionValues(words, (folders[name] ?? '').split(' ')) : [];
  return [
    ...[
      ...named,
      ...rewritten(name, words),
      ...saved(name, words),
      ...(Object.hasOwn(particular, name) ? (particular[name]?.(words) ?? []) : []),
    ].map(written),
    ...inside.map((place) => ({ ...written(place), writes: false, within: true })),
  ];
}

const places = (found: readonly number[]): StartedPlace[] => found.map((at) => ({ at, skip: 0 }));

const archive = (words: Words): StartedPlace[] => places(operandsOf(words, '-x -i -b -n -t').slice(0, 1));

/** `tar czf OUT …`, `tar -xf IN -C WHERE`: the archive where it makes one, the folder where it unpacks one. */
function tar(words: Words): StartedPlace[] {
  const first = words[1] ?? '';
  const letters = words
    .filter((word, at) => /^-[A-Za-z]/.test(word) || (at === 1 && /^[A-Za-z]+$/.test(word)))
    .join('');
  const has = (short: RegExp, long: RegExp): boolean =>
    short.test(letters) || words.some((word) => long.test(word));
  if (has(/x/, /^--(?:ex|ge)/)) return optionValues(words, ['-C', '--directory', '--cd', '--one-top-level']);
  if (!has(/[cruA]/, /^--(?:cr|app|upd|cat|con|del)/)) return [];
  const old = /^[A-Za-z]*f[A-Za-z]*$/.test(first) ? [{ at: 2, skip: 0 }] : [];
  return [...old, ...optionValues(words, ['-f', '--file'])].filter(({ at }) => at < words.length);
}

const cloneValued =
  '-b --branch --depth -o --origin -u --upload-pack --reference --reference-if-able -c --config -j --jobs --filter --template --shallow-since --shallow-exclude --server-option';

function git(words: Words): StartedPlace[] {
  const { verb, at } = gitVerb(words);
  const after = (valued = ''): number[] => operandsOf(words, valued, at + 1);
  switch (verb) {
    case 'clone':
      return [...places(after(cloneValued).slice(1)), ...optionValues(words, ['--separate-git-dir'], at)];
    case 'init':
      return [
        ...places(after('-b --initial-branch --template --object-format')),
        ...optionValues(words, ['--separate-git-dir'], at),
      ];
    case 'worktree':
      return words[at + 1] === 'add' || words[at + 1] === 'move'
        ? places(after('-b -B --reason').slice(1, words[at + 1] === 'add' ? 2 : 3))
        : [];
    case 'bundle':
      return words[at + 1] === 'create' ? places(after().slice(1, 2)) : [];
    case 'config':
      return optionValues(words, ['-f', '--file'], at);
    case 'checkout-index':
      return optionValues(words, ['--prefix'], at);
    case 'archive':
    case 'format-patch':
      return optionValues(words, ['-o', '--output', '--output-directory'], at);
    case 'apply':
      return optionValues(words, ['--directory'], at);
    default:
      return optionValues(words, ['--output'], at);
  }
}

const last = (words: Words): StartedPlace[] => places(operandsOf(words).slice(1).slice(-1));

/** Of a container's words only these are files of this machine. */
function docker(words: Words): StartedPlace[] {
  const [first = 0, second = 0] = operandsOf(words, '-H --host --context -c --config -l --log-level');
  const verb = /^(?:image|container)$/.test(words[first] ?? '') ? words[second] : words[first];
  if (verb === 'save' || verb === 'export') return optionValues(words, ['-o', '--output']);
  return verb === 'cp' && !/^[^/.]+:/.test(words.at(-1) ?? '') ? places([words.length - 1]) : [];
}

const particular: Readonly<Record<string, (words: Words) => StartedPlace[]>> = {
  docker,
  podman: docker,
  nerdctl: docker,
  uniq: (words) => places(operandsOf(words, '-f -s -w').slice(1, 2)),
  sftp: last,
  ffmpeg: last,
  convert: last,
  magick: last,
  sox: last,
  objcopy: last,
  ditto: last,
  pax: last,
  cpio: (words) =>
    words.some((word) => /^-\w*p|^--pass/.test(word)) ? places(operandsOf(words, '-D -R -E').slice(-1)) : [],
  tar,
  bsdtar: tar,
  gtar: tar,
  zip: archive,
  '7z': (words) => (/^[aud]$/.test(words[1] ?? '') ? places(operandsOf(words).slice(1, 2)) : []),
  git,
  split: (words) => places(operandsOf(words, '-b -l -n -a -C').slice(1, 2)),
  script: (words) => places(operandsOf(words, '-c -O -I -B -T -m -o -E').slice(0, 1)),
};
