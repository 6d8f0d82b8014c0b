import { bashCommands, parseWhole } from '../../shell/index.ts';

/** One of several ways that a page gives to do the same: for a system, or with a program. Any of the names will do. */
export interface Way {
  family: string;
  names: readonly string[];
  /** The page says which system it is for: elsewhere it is not run, also where it is the only one. */
  isFor: string | null;
  /** What installs there: where it is missing, another way that is for this system too is nearer. */
  needs?: string;
  /** Which of the headings above it says so, from 0; missing where the text right before it does. */
  heading?: number;
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

/** Distributions, with the "Linux" that is a part of their name. */
const called = (names: string): RegExp => new RegExp(`\\b(?:${names})(?: (?:gnu/)?linux)?\\b`, 'gi');

/** What shows every system to be one that a page means by "other systems": the last way to be taken. */
export const ANY_SYSTEM = '*';

/** What a system is called, and what shows that this is one. */
const SYSTEMS: readonly [name: string, called: RegExp, shownBy: readonly string[]][] = [
  [
    'other systems',
    /\bother (?:linux |unix )?(?:(?:operating )?systems|platforms|distributions|distros)\b/gi,
    [ANY_SYSTEM],
  ],
  ['Windows', /\b(?:windows|wsl(?:-?2)?|powershell|cygwin|mingw)\b/gi, ['windows']],
  ['macOS', /\b(?:mac ?os(?: ?x)?|os ?x|macs?|osx)\b/gi, ['macos']],
  ['Homebrew', /\b(?:homebrew|linuxbrew)\b/gi, ['brew']],
  ['MacPorts', /\bmacports\b/gi, ['port']],
  ['ChromeOS', /\b(?:chrome ?os|chromebrew|chromebooks?)\b/gi, ['crew']],
  ['BSD', /\b(?:freebsd|openbsd|netbsd|bsd)\b/gi, ['bsd']],
  ['Debian', called('debian|ubuntu|linux mint|raspbian|pop!?_os'), ['apt-get']],
  ['Fedora', called('fedora'), ['dnf']],
  [
    'Red Hat',
    called('rhel|red ?hat(?: enterprise)?|centos|rocky|alma ?linux|euro ?linux|oracle linux|amazon linux'),
    ['yum', 'dnf'],
  ],
  ['SUSE', called('(?:open)?suse'), ['zypper']],
  ['Arch', called('arch(?:linux)?|manjaro'), ['pacman']],
  ['Alpine', called('alpine'), ['apk']],
  ['Gentoo', called('gentoo'), ['emerge']],
  ['Void', called('void'), ['xbps-install']],
  ['Solus', called('solus'), ['eopkg']],
  ['Nix', called('nix(?:os)?'), ['nix-env']],
  ['Linux', /\b(?:gnu\/)?linux\b/gi, ['linux']],
];

/** Words beside the names of systems in a heading that is about nothing else. */
const BESIDES =
  /\b(?:on|for|in|and|or|with|via|using|under|the|users?|systems?|enterprise|linux|installation|installing|install|installer|upgrading|upgrade|updating|update|uninstalling|uninstall|removing|their|only|building|build|compiling|setup|troubleshooting|notes?|package|manager|distributions?|based|derivatives|requires|other|like|unix|macports|packages?)\b/gi;

interface Systems {
  isFor: string[];
  shownBy: string[];
  rest: string;
}

function systemsIn(text: string): Systems {
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
  if (said !== null && said.isFor.length > 0) return forSystems(said);
  const heading = headings.findLastIndex((text) => namedAlone(text) !== null);
  return heading < 0 ? null : { ...forSystems(namedAlone(headings[heading]!)!), heading };
}

const forSystems = ({ isFor, shownBy }: Systems): Way => ({
  family: 'system',
  names: shownBy,
  isFor: isFor.join(' or '),
});

/** The systems that a line is about; null where it is about something else too. */
function namedAlone(text: string): Systems | null {
  const found = systemsIn(text.replace(/\([^)]*\)/g, '').replace(/v?\d[\w.+-]*/g, ''));
  return found.isFor.length > 0 && !/[A-Za-z]{2}/.test(found.rest.replace(BESIDES, '')) ? found : null;
}

/** A part of a block below a comment that says which systems it is for; null for what is for all. */
export interface SystemPart {
  text: string;
  line: number;
  endLine: number;
  way: Way | null;
}

/**
 * The parts of a block whose comments name systems, each the systems of its own: `# Debian-based:`, `# Arch`. One ends where
 * the next begins, or at a comment about something else behind an empty line. Null where fewer than two are named.
 */
export function systemParts(text: string): SystemPart[] | null {
  const parts: SystemPart[] = [{ text: '', line: 0, endLine: 0, way: null }];
  for (const [line, content] of text.split('\n').entries()) {
    const comment = /^#+\s*(.*)$/.exec(content)?.[1];
    const named = comment === undefined ? null : namedAlone(comment);
    const last = parts.at(-1)!;
    const isOver = comment !== undefined && last.way !== null && /\n\s*$/.test(last.text);
    if (named === null && !isOver) {
      last.text += last.text === '' && line === last.line ? content : `\n${content}`;
      last.endLine = line;
    } else parts.push({ text: content, line, endLine: line, way: named === null ? null : forSystems(named) });
  }
  const whole = parts
    .filter((part) => part.text.trim() !== '')
    .map((part) => ({ ...part, text: part.text.trimEnd(), way: part.way && needing(part.way, part.text) }));
  const isValid = whole.every((part) => parseWhole(part.text) !== null);
  return whole.filter(({ way }) => way !== null).length > 1 && isValid ? whole : null;
}

const INSTALLS = /^(?:install|i|ci|add|in|create|init|-S\w*|-i\w*|-iA|sync)$/;

/** The same things, but those that are there already. */
const RENEWS = /^(?:-U|--upgrade|--update)$/;

/** The way that a block takes; null where it is not one of several. */
export function wayOf(text: string, headings: readonly string[], lead: string): Way | null {
  const system = systemOf(headings, lead);
  return system === null ? programWay(text) : needing(system, text);
}

function needing(way: Way, text: string): Way {
  const programs = bashCommands(text).commands.map(({ words }) => words[0] ?? '');
  const needs = programs.find((program) => familyOf(program) === 'system');
  return needs === undefined ? way : { ...way, needs };
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
  const renews = args.some((arg) => RENEWS.test(arg)) ? ' anew' : '';
  // What is installed is called differently from system to system, and the same everywhere else.
  return {
    family: `${family === 'system' ? family : `${family} ${things.sort().join(' ')}`}${renews}`,
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
