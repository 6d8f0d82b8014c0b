import { editDistance, isSlip } from '../../../core/plan/nearest.ts';
import type { Simple } from '../../../core/shell/index.ts';
import { shellWord } from '../../../core/shell/index.ts';
import { insertAfter, replaceWords, splice } from '../command/edit.ts';
import { nodePackageHere } from './kept-here.ts';
import {
  byProgram,
  isVerb,
  type Mend,
  type MendingRule,
  onCommand,
  only,
  type SeenFailure,
  verbOf,
} from './rule.ts';
import { meant } from './similar.ts';
import { subcommandsOf } from './subcommands.ts';

const managers = ['npm', 'pnpm', 'yarn'] as const;

interface Manifest {
  readonly scripts: readonly string[];
  readonly packages: readonly string[];
}

export async function manifestOf(seen: SeenFailure): Promise<Manifest | null> {
  const text = await seen.probe.readText('package.json');
  if (text === null) return null;
  try {
    const data = JSON.parse(text) as Record<string, Record<string, string> | undefined>;
    return {
      scripts: Object.keys(data['scripts'] ?? {}),
      packages: Object.keys({
        ...data['dependencies'],
        ...data['devDependencies'],
        ...data['optionalDependencies'],
      }),
    };
  } catch {
    return null;
  }
}

export const missingScript = onCommand({
  id: 'npm-missing-script',
  about: 'package.json has no such script, but one that is a slip away.',
  programs: managers,
  says: /[Mm]issing script: ?["']?([^\s"']+)|Command "([^"]+)" not found|Couldn't find a script named "([^"]+)"|ERR_PNPM_NO_SCRIPT[^\n]*?: (\S+)/,
  async propose(seen, simple, [, ...names]) {
    const { args, program } = simple;
    const name = names.find((found) => found !== undefined);
    const word = args.find((arg) => arg.literal && arg.value === name);
    const manifest = word === undefined ? null : await manifestOf(seen);
    const own = program === 'yarn' && word === verbOf(simple) && word !== undefined;
    const right =
      (manifest === null ? null : meant(word!.value, manifest.scripts)) ??
      (own ? meant(word!.value, subcommandsOf('yarn')) : null);
    if (right === null) return null;
    return {
      modify: replaceWords(seen.tree, [[word!, right]]),
      reasoning: `There is no script \`${name}\`; \`${right}\` there is.`,
      confidence: 0.91,
    };
  },
});

export const scriptWithoutRun = onCommand({
  id: 'npm-run',
  about: 'A script of package.json was called as if it were a command of npm.',
  programs: ['npm'],
  says: /Usage: npm <command>|Unknown command: "[^"]+"/,
  unless: /^ru/,
  async propose(seen, simple) {
    const word = verbOf(simple);
    if (word === null) return null;
    const listed = [
      ...(/where <command> is one of:\n([\s\S]*?)\n\n/.exec(seen.output)?.[1] ?? '').matchAll(/[\w-]+/g),
    ].map(([text]) => text);
    const known = new Set([...listed, ...subcommandsOf('npm')]);
    if (known.has(word.value)) return null;
    const manifest = await manifestOf(seen);
    const near = listed.length === 0 ? null : meant(word.value, listed);
    const isNear = near !== null && (editDistance(word.value, near) < 2 || isSlip(word.value, near));
    if (isNear && manifest?.scripts.includes(word.value) !== true)
      return {
        modify: replaceWords(seen.tree, [[word, near]]),
        reasoning: `npm has no \`${word.value}\`; \`${near}\` is the nearest that it lists.`,
        confidence: 0.85,
      };
    if (manifest !== null && !manifest.scripts.includes(word.value)) return null;
    // Without a look at package.json: a word that is near no command of npm is a script's name.
    if (manifest === null && (listed.length === 0 || meant(word.value, [...known]) !== null)) return null;
    const text = manifest === null ? 'run-script' : 'run';
    return {
      modify: insertAfter(seen.tree, simple.name, text),
      reasoning: `\`${word.value}\` is no command of npm but a script; npm runs scripts with \`${text}\`.`,
      confidence: manifest === null ? 0.75 : 0.92,
    };
  },
});

/** What npm calls otherwise than yarn. */
const inYarn = new Map([
  ['isntall', 'install'],
  ['uninstall', 'remove'],
  ['rm', 'remove'],
  ['update', 'upgrade'],
  ['ls', 'list'],
  ['i', 'install'],
  ['require', 'add'],
]);

export const yarnWords: MendingRule = {
  id: 'yarn-command',
  about: 'yarn calls it otherwise than npm, and says so.',
  propose(seen) {
    const simple = only(seen, 'yarn');
    const verb = simple === null ? null : verbOf(simple);
    const told =
      /`(yarn [\w -]+)`(?: instead| to)|Run `(yarn \w+)`|has been replaced with `(yarn add|yarn [\w-]+)/
        .exec(seen.output)
        ?.slice(1)
        .find((found) => found !== undefined);
    if (simple === null || verb === null) return null;
    if (told !== undefined && /has been replaced|instead|to add new dependencies/i.test(seen.output)) {
      const words = told.split(' ').slice(1);
      return {
        modify: splice(seen.command, [{ ...verb, text: words[0]! }]),
        reasoning: `yarn says to use \`${told}\`.`,
        confidence: 0.88,
      };
    }
    const word = inYarn.get(verb.value);
    if (
      word === undefined ||
      !/Command "[^"]+" not found|Couldn't find a script named|Unknown command/.test(seen.output)
    )
      return null;
    return {
      modify: replaceWords(seen.tree, [[verb, word]]),
      reasoning: `yarn calls \`${verb.value}\` \`${word}\`.`,
      confidence: 0.82,
    };
  },
};

export const peerConflict = onCommand({
  id: 'npm-eresolve',
  about:
    'Peer dependencies disagree; npm names the flag by which they are taken as older versions of npm did.',
  programs: ['npm'],
  says: /ERESOLVE/,
  unless: /^--(?:legacy-peer-deps|force)(?:=|$)/,
  propose({ tree, output }, { name, args }) {
    if (!output.includes('--legacy-peer-deps')) return null;
    return {
      modify: insertAfter(tree, args.at(-1) ?? name, '--legacy-peer-deps'),
      reasoning:
        'Packages ask for different versions of the same one; npm names --legacy-peer-deps to install them all the same.',
      confidence: 0.65,
    };
  },
});

export const lockMismatch: MendingRule = {
  id: 'lock-mismatch',
  about: 'The lock file is behind package.json: it is brought up to date, as the tool asks.',
  async propose(seen) {
    const npm = only(seen, 'npm');
    const other = npm === null || !isVerb(npm, 'ci') ? null : await otherLock(seen);
    if (npm !== null && other !== null) return withManager(seen, npm, other);
    if (
      npm !== null &&
      isVerb(npm, 'ci') &&
      /`npm ci` can only install|package\.json and package-lock\.json .* are in sync|update your lock file with `npm install`|can only install with an existing package-lock/i.test(
        seen.output,
      )
    ) {
      return {
        steps: [{ title: 'Bring the lock file up to date', command: 'npm install --package-lock-only' }],
        reasoning:
          'package-lock.json does not agree with package.json; npm asks for it to be brought up to date.',
        confidence: 0.85,
      };
    }
    const pnpm = only(seen, 'pnpm');
    if (pnpm !== null && /ERR_PNPM_OUTDATED_LOCKFILE/.test(seen.output)) {
      return {
        steps: [{ title: 'Bring the lock file up to date', command: 'pnpm install --lockfile-only' }],
        reasoning: 'pnpm-lock.yaml does not agree with package.json; it is brought up to date.',
        confidence: 0.8,
      };
    }
    return null;
  },
};

/** The manager whose lock file is here, where npm's is not. */
async function otherLock(seen: SeenFailure): Promise<string | null> {
  if (!/existing package-lock|EUSAGE/.test(seen.output)) return null;
  if ((await seen.probe.kind('package-lock.json')) !== 'absent') return null;
  const manager = (await installWith(seen)).split(' ')[0]!;
  return manager === 'npm' ? null : manager;
}

/** What `npm ci` says, in the words of the manager of this project. Where that is not here, nobody makes another lock. */
async function withManager(seen: SeenFailure, { name, args }: Simple, manager: string): Promise<Mend | null> {
  if (args.length !== 1 || typeof (await seen.probe.which(manager)) !== 'string') return null;
  return {
    modify: splice(seen.command, [
      { pos: name.pos, end: args[0]!.end, text: `${manager} install --frozen-lockfile` },
    ]),
    reasoning: `The lock file of this project is that of ${manager}, which npm does not read.`,
    confidence: 0.9,
  };
}

const runners = 'node npm npx pnpm yarn tsx ts-node jest vitest tsc next vite'.split(' ');

const hasBunLock = async ({ probe }: SeenFailure): Promise<boolean> =>
  (await probe.kind('bun.lockb')) === 'file' || (await probe.kind('bun.lock')) === 'file';

export const installWith = async (seen: SeenFailure): Promise<string> => {
  if ((await seen.probe.kind('pnpm-lock.yaml')) === 'file') return 'pnpm install';
  if ((await seen.probe.kind('yarn.lock')) === 'file') return 'yarn install';
  if (await hasBunLock(seen)) return 'bun install';
  return (await seen.probe.kind('package-lock.json')) === 'file' ? 'npm ci' : 'npm install';
};

export const notInstalled: MendingRule = {
  id: 'node-modules',
  about:
    'A package is missing: those of package.json are installed, or the one that the program asks for is.',
  async propose(seen) {
    const name =
      /(?:Cannot find (?:module|package)|Error: Cannot find module|Can't resolve) '([^'\n]+)'/.exec(
        seen.output,
      )?.[1];
    const program = /(?:sh|bash): (?:line )?(?:\d+: )?([\w-]+): (?:command )?not found/.exec(
      seen.output,
    )?.[1];
    if (byProgram(seen, ...runners).length === 0) return null;
    if (name !== undefined) return forModule(seen, name);
    const runs = byProgram(seen, ...managers).find((simple) =>
      isVerb(simple, 'run', 'run-script', 'test', 'start', 'build', 't', 'dev'),
    );
    if (
      program === undefined ||
      runs === undefined ||
      seen.tree.simples.some((simple) => simple.program === program)
    )
      return null;
    const modules = await seen.probe.kind('node_modules');
    if (modules === 'dir') return null;
    return install(
      seen,
      `\`${program}\`, which the script runs, comes with the packages of package.json, and they are not installed.`,
      modules === null ? 0.7 : 0.9,
    );
  },
};

async function forModule(seen: SeenFailure, name: string): Promise<Mend | null> {
  if (/^[./#]|^node:|^[A-Za-z]:/.test(name)) return null;
  const packageName = name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
  if (!/^(?:@[\w.-]+\/)?[\w.-]+$/.test(packageName)) return null;
  const manifest = await manifestOf(seen);
  if (manifest?.packages.includes(packageName) === true) {
    return install(seen, `\`${packageName}\` is in package.json but not installed.`, 0.93);
  }
  const kept = await nodePackageHere(seen, packageName);
  if (kept !== null) return kept;
  return {
    steps: [{ title: `Install ${packageName}`, command: `npm install ${shellWord(packageName)}` }],
    reasoning: `The program needs the package \`${packageName}\`, which is not installed.`,
    // A name that only the message knows may be anybody's package: that is for a person.
    confidence: manifest === null ? 0.68 : 0.4,
  };
}

async function install(seen: SeenFailure, reasoning: string, confidence: number): Promise<Mend> {
  const command = await installWith(seen);
  return { steps: [{ title: 'Install the packages of package.json', command }], reasoning, confidence };
}
