import { bashCommands } from '../../shell/index.ts';

/** One of several ways that a page gives to do the same: for a system, or with a program. Any of the names will do. */
export interface Way {
  family: string;
  names: readonly string[];
  /** The page says which system it is for: elsewhere it is not run, also where it is the only one. */
  isFor: string | null;
}

/** Programs of which a page takes one or another. */
const FAMILIES: Record<string, readonly string[]> = {
  packages: ['npm', 'yarn', 'pnpm', 'bun', 'bower'],
  system:
    'apt-get apt aptitude dnf yum zypper pacman yay apk brew port emerge nix-env pkg choco scoop winget snap guix xbps-install'.split(
      ' ',
    ),
  download: ['curl', 'wget'],
  python: ['pip', 'pip3', 'pipx', 'conda', 'mamba', 'poetry', 'uv', 'pipenv'],
};

/** What a system is called, and what shows that this is one. */
const SYSTEMS: readonly [name: string, called: RegExp, shownBy: readonly string[]][] = [
  ['Windows', /\b(?:windows|wsl(?:-?2)?|powershell|cygwin|mingw)\b/gi, ['windows']],
  ['macOS', /\b(?:mac ?os(?: ?x)?|os ?x|macs?|osx)\b/gi, ['macos']],
  ['Homebrew', /\b(?:homebrew|linuxbrew)\b/gi, ['brew']],
  ['MacPorts', /\bmacports\b/gi, ['port']],
  ['BSD', /\b(?:freebsd|openbsd|netbsd|bsd)\b/gi, ['bsd']],
  ['Debian', /\b(?:debian|ubuntu|linux mint|raspbian|pop!?_os)\b/gi, ['apt-get']],
  ['Fedora', /\bfedora\b/gi, ['dnf']],
  [
    'Red Hat',
    /\b(?:rhel|red ?hat(?: enterprise linux)?|centos|rocky|alma ?linux|euro ?linux|oracle linux|amazon linux)\b/gi,
    ['yum', 'dnf'],
  ],
  ['SUSE', /\b(?:open)?suse\b/gi, ['zypper']],
  ['Arch', /\b(?:arch(?: linux)?|manjaro)\b/gi, ['pacman']],
  ['Alpine', /\balpine(?: linux)?\b/gi, ['apk']],
  ['Gentoo', /\bgentoo(?: linux)?\b/gi, ['emerge']],
  ['Void', /\bvoid(?: linux)?\b/gi, ['xbps-install']],
  ['Solus', /\bsolus\b/gi, ['eopkg']],
  ['Nix', /\bnix(?:os)?\b/gi, ['nix-env']],
  ['Linux', /\b(?:gnu\/)?linux\b/gi, ['linux']],
];

/** Words beside the names of systems in a heading that is about nothing else. */
const BESIDES =
  /\b(?:on|for|in|and|or|with|via|using|under|the|users?|systems?|enterprise|linux|installation|installing|install|installer|building|build|compiling|setup|troubleshooting|notes?|package|manager|distributions?|based|derivatives|requires|other|like|unix|macports|packages?)\b/gi;

function systemsIn(text: string): { isFor: string[]; shownBy: string[]; rest: string } {
  const found = { isFor: [] as string[], shownBy: [] as string[] };
  let rest = text;
  for (const [name, called, shownBy] of SYSTEMS) {
    const without = rest.replace(called, ' ');
    if (without === rest) continue;
    rest = without;
    found.isFor.push(name);
    found.shownBy.push(...shownBy);
  }
  return { ...found, rest };
}

/** A heading that names systems and nothing else, or a short sentence right before the block. */
function systemOf(headings: readonly string[], lead: string): Way | null {
  const last = /(?:^|[.!?:] )([^.!?:]{1,80})[:.]?\s*$/.exec(lead)?.[1] ?? '';
  const said =
    /^(?:and |or |then |but )?(?:on|for|under|if you(?:'re| are)? (?:use|using|on|running))\b/i.test(last)
      ? systemsIn(last)
      : null;
  const named = headings
    .map((heading) => systemsIn(heading.replace(/\([^)]*\)/g, '').replace(/v?\d[\w.+-]*/g, '')))
    .findLast(({ isFor, rest }) => isFor.length > 0 && !/[A-Za-z]{2}/.test(rest.replace(BESIDES, '')));
  const found = said !== null && said.isFor.length > 0 ? said : named;
  if (found === undefined) return null;
  return { family: 'system', names: found.shownBy, isFor: found.isFor.join(' or ') };
}

const INSTALLS = /^(?:install|i|ci|add|in|create|init|-S\w*|-i\w*|-iA|sync)$/;

/** The way that a block takes; null where it is not one of several. */
export function wayOf(text: string, headings: readonly string[], lead: string): Way | null {
  return systemOf(headings, lead) ?? programWay(text);
}

function programWay(text: string): Way | null {
  const { commands } = bashCommands(text);
  const installing = commands.find(({ words, literal }) => literal && familyOf(words[0] ?? '') !== null);
  if (
    installing === undefined ||
    commands.some(({ words }) => words[0] !== installing.words[0] && words[0] !== 'bash')
  )
    return null;
  const [program = '', ...args] = installing.words;
  const family = familyOf(program)!;
  if (family === 'download') {
    const url = args.find((arg) => /^https?:/.test(arg));
    return url === undefined ? null : { family: `${family} ${url}`, names: [program], isFor: null };
  }
  if (!args.some((arg) => INSTALLS.test(arg))) return null;
  const things = args.filter((arg) => !arg.startsWith('-') && !INSTALLS.test(arg));
  // What is installed is called differently from system to system, and the same everywhere else.
  return {
    family: family === 'system' ? family : `${family} ${things.sort().join(' ')}`,
    names: [program],
    isFor: null,
  };
}

const familyOf = (program: string): string | null =>
  Object.keys(FAMILIES).find((family) => FAMILIES[family]!.includes(program)) ?? null;

/** Files that say which program a project uses. */
export const LOCKS: Readonly<Record<string, readonly string[]>> = {
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
  yarn: ['yarn.lock'],
  pnpm: ['pnpm-lock.yaml'],
  bun: ['bun.lock', 'bun.lockb'],
  poetry: ['poetry.lock'],
  uv: ['uv.lock'],
  pipenv: ['Pipfile.lock'],
};
