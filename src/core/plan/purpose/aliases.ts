/**
 * The one table of programs that may stand in for another without a person: the same program by another name, or one
 * that does the same to the same words. The first that is there is taken; several words are a program and its first ones.
 */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  python: ['python3'],
  python2: ['python3'],
  python3: ['python'],
  pip: ['pip3', 'python3 -m pip'],
  pip3: ['pip', 'python3 -m pip'],
  node: ['nodejs'],
  nodejs: ['node'],
  ipython: ['ipython3'],
  pytest: ['python3 -m pytest'],
  awk: ['gawk', 'mawk'],
  gmake: ['make'],
  cc: ['gcc', 'clang'],
  fd: ['fdfind'],
  bat: ['batcat'],
  pylint: ['pylint3'],
  netcat: ['nc'],
  gsed: ['sed'],
  gtar: ['tar'],
};

/** Besides these, what a brain may exchange: the wrapper of a build and its tool, two fronts of one thing. */
const fronts: readonly (readonly string[])[] = [
  ['gradle', 'gradlew'],
  ['mvn', 'mvnw'],
  ['apt', 'apt-get', 'apt-cache', 'aptitude'],
  ['docker-compose', 'docker compose'],
  ['curl', 'wget'],
  ['rsync', 'cp', 'install'],
  ['rm', 'rmdir'],
  ['vi', 'vim'],
  ['7z', '7za', '7zr', 'unzip', 'python3 -m zipfile'],
  ['zip', 'python3 -m zipfile -c'],
  ['unzip', 'tar -xf'],
  ['tar', 'unzip'],
  ['shasum', 'sha1sum', 'sha224sum', 'sha256sum', 'sha384sum', 'sha512sum'],
  ['dos2unix', 'sed -i s/\\r$//'],
  ['sh', 'bash', 'dash'],
  ['source', '.'],
  // One way only: what a lock file of another manager says, npm cannot do; the others are not npm's to replace.
  ['npm', 'pnpm install', 'yarn install', 'bun install'],
];

/** By what other names a program may be here, the likeliest first. */
export const otherNamesOf = (program: string): readonly string[] =>
  Object.hasOwn(otherNames, program) ? otherNames[program]! : [];

/** Whether the words of one command may stand in for the program of another. */
export function standsInFor(program: string, words: readonly string[]): boolean {
  const [name = ''] = words;
  const isIt = (other: string): boolean => other.split(' ').every((word, at) => words[at] === word);
  return (
    otherNamesOf(program).some(isIt) ||
    otherNamesOf(name).includes(program) ||
    fronts.some((row) => row.includes(program) && row.some(isIt))
  );
}

/** What one program is told by a word, another does by itself: `7z x a.zip` and `unzip a.zip`. */
export const isImplied = (program: string, word: string, other: string): boolean =>
  (/^7z[ar]?$/.test(program) && word === 'x' && other === 'unzip') ||
  (program === 'tar' && /^(?=[a-z]*x)[xvzjk]*f$/i.test(word) && other === 'unzip') ||
  (program === 'shasum' && other === `sha${word}sum`);

/** Verbs that come to the same, program by program; for all of them under `*`. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  '*': ['remove delete rm uninstall', 'ls list', 'i install add', 'update upgrade', 'run run-script'],
  git: ['pull clone', 'add set-url', 'checkout switch'],
  npm: ['ci install'],
  pnpm: ['ci install'],
};

/** Whether a program's verb may be exchanged for another: two words for one thing. */
export const isSameVerb = (program: string, from: string, to: string): boolean =>
  [...verbs['*']!, ...(Object.hasOwn(verbs, program) ? verbs[program]! : [])]
    .map((row) => row.split(' '))
    .some((row) => row.includes(from) && row.includes(to));

/** Endings of which each says the same of its file as the others of its line. */
const endings: readonly (readonly string[])[] = [
  ['.tar.gz', '.tgz'],
  ['.tar.bz2', '.tbz2', '.tbz'],
  ['.tar.xz', '.txz'],
  ['.tar.zst', '.tzst'],
  ['.yml', '.yaml'],
  ['.htm', '.html'],
  ['.jpg', '.jpeg'],
  ['.tif', '.tiff'],
  ['.md', '.markdown'],
];

/** Whether two names differ in their ending only, and the endings say the same. */
export const isSameEnding = (a: string, b: string): boolean =>
  endings.some((row) => {
    const [one, other] = [row.find((end) => a.endsWith(end)), row.find((end) => b.endsWith(end))];
    if (one === undefined || other === undefined || one === other) return false;
    return a.slice(0, -one.length) === b.slice(0, -other.length);
  });
