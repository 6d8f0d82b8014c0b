import { isGrave, otherNamesOf } from '../../../core/plan/index.ts';
import { changesMeaning, isSlip } from '../../../core/plan/nearest.ts';
import { type Simple, targetsOf } from '../../../core/shell/index.ts';
import { insertBefore, replaceWords, splice } from '../command/edit.ts';
import { isAbsent } from './absent.ts';
import { asRoot, type Mend, type MendingRule, type SeenFailure } from './rule.ts';
import { isSwap, meant } from './similar.ts';
import { subcommandsOf } from './subcommands.ts';

/** How shells and their kin say that a program is not there; the program captured. */
const patterns = [
  /(?:^|: )([^\s:'"`]+): (?:command )?not found\s*$/m,
  /^(?:zsh: )?command not found: (\S+)/m,
  /Command '([^']+)' not found/,
  /No command '([^']+)' found/,
  /^(?:[\w./-]+: )?(?:line )?\d+: ([^\s:]+): not found\s*$/m,
  /^sudo: ([^\s:]+): command not found/m,
  /^(?:env|\/usr\/bin\/env|timeout|nohup|nice|xargs|setsid): [‘'"`]?(?:failed to run command [‘'"`])?([^\s:’'"`]+)[’'"`]?: No such file or directory/m,
];

/** The program that the message says is missing, where the command does call it. */
export function missingProgram(seen: SeenFailure): Simple | null {
  for (const pattern of patterns) {
    const name = pattern.exec(seen.output)?.[1];
    if (name === undefined) continue;
    const found = seen.tree.simples.find((simple) => simple.name.value === name && simple.name.literal);
    if (found !== undefined) return found;
  }
  return null;
}

/** Taken without a look at the machine: the new name has replaced the old one everywhere. */
const withoutLooking = new Set(['python', 'pip']);

export const otherName: MendingRule = {
  id: 'program-other-name',
  about: 'The program goes by another name here: python3 for python, nodejs for node.',
  async propose(seen) {
    const simple = missingProgram(seen);
    if (simple === null) return null;
    for (const other of otherNamesOf(simple.name.value)) {
      const there = await seen.probe.which(other.split(' ')[0]!);
      if (there === false || (there === null && !withoutLooking.has(simple.name.value))) continue;
      return {
        modify: splice(seen.command, [{ ...simple.name, text: other }]),
        reasoning: `There is no \`${simple.name.value}\` here; \`${other}\` is the same program.`,
        confidence: there === null ? 0.75 : 0.93,
      };
    }
    return null;
  },
};

export const localProgram: MendingRule = {
  id: 'program-local',
  about:
    'The program is not on the PATH but in the project: node_modules/.bin, .venv/bin, vendor/bin, or this folder.',
  async propose(seen) {
    const simple = missingProgram(seen);
    if (simple === null || simple.name.value.includes('/')) return null;
    const name = simple.name.value;
    const places: [string, string][] = [
      [`node_modules/.bin/${name}`, `npx ${name}`],
      [`.venv/bin/${name}`, `.venv/bin/${name}`],
      [`venv/bin/${name}`, `venv/bin/${name}`],
      [`vendor/bin/${name}`, `vendor/bin/${name}`],
      ...(name === 'gradle' ? ([['gradlew', './gradlew']] as [string, string][]) : []),
      ...(name === 'mvn' ? ([['mvnw', './mvnw']] as [string, string][]) : []),
      [name, `./${name}`],
    ];
    for (const [path, text] of places) {
      if ((await seen.probe.kind(path)) !== 'file') continue;
      if ((await seen.probe.isExecutable(path)) === false) continue;
      return {
        modify: splice(seen.command, [{ ...simple.name, text }]),
        reasoning: `\`${name}\` is in the project (${path}), not on the PATH.`,
        confidence: 0.92,
      };
    }
    return null;
  },
};

/** Programs that are on every machine of a developer, for slips that are seen without a look at this one. */
const common =
  'awk basename bash cat cd chmod chown clear cp curl cut date df diff dig dirname docker du echo env export find g++ gcc git grep gunzip gzip head hostname id ifconfig ip java javac jobs kill kubectl less ln ls make man mkdir more mv mvn nano netstat node npm npx openssl passwd perl ping pip pnpm printf ps pwd python python3 rm rmdir rsync ruby scp sed service sleep sort source ssh sudo systemctl tail tar tee terraform time top touch tr uname uniq unzip vim wc wget which whoami xargs yarn zip cargo cmake gradle'.split(
    ' ',
  );

export const misspelt: MendingRule = {
  id: 'program-misspelt',
  about: 'The program is one slip of the fingers away from one that exists, and is none that is only absent.',
  async propose(seen) {
    const simple = missingProgram(seen);
    if (simple === null || simple.name.value.includes('/') || simple.name.value.length < 2) return null;
    const typed = simple.name.value;
    if (await isAbsent(seen, typed)) return null;
    const found = await programMeant(seen, typed);
    if (found === null) return glued(seen, simple, (await seen.probe.programs()) ?? common);
    return {
      modify: replaceWords(seen.tree, [[simple.name, found]]),
      reasoning: `There is no \`${typed}\`; \`${found}\` is the nearest program that there is.`,
      confidence: hasVerb(simple, found) ? 0.91 : 0.8,
    };
  },
};

/** The program that there is and that was meant by this name, where it is none that is only absent. */
export async function programMeant(seen: SeenFailure, typed: string): Promise<string | null> {
  const installed = await seen.probe.programs();
  const known =
    installed === null ? common : [...common.filter((name) => installed.includes(name)), ...shellWords];
  // Rare programs are a coincidence more often than a wish: common ones are looked at first.
  const { isKnownProgram } = await import('./known-programs.ts');
  const others = typed.length < 5 ? [] : (installed ?? []).filter(isKnownProgram);
  return intended(typed, known) ?? intended(typed, others);
}

const shellWords = ['cd', 'echo', 'export', 'source', 'printf', 'pwd'];

/** The one program to which these fingers were on their way; two that are as likely are none. */
function intended(typed: string, programs: readonly string[]): string | null {
  const near = [...new Set(programs)].filter((name) => isSlip(typed, name) && !changesMeaning(typed, name));
  const swaps = near.filter((name) => isSwap(typed, name));
  const found = swaps.length > 0 ? swaps : near;
  if (found.length !== 1) return meant(typed, found);
  const [only] = found;
  // What writes or ends something is named by its own letters, not by their neighbours.
  return swaps.length > 0 || !(writes(only!) || isGrave(only!)) || hasLetters(typed, only!) ? only! : null;
}

const writes = (program: string): boolean =>
  targetsOf(program, [
    { value: 'a', matched: false },
    { value: 'b', matched: false },
  ]).some((target) => target.writes);

/** All letters of the one are in the other: one was left out, or hit twice. */
const hasLetters = (typed: string, right: string): boolean =>
  [...typed].every((letter) => right.includes(letter)) && typed.length !== right.length;

const hasVerb = (simple: Simple, program: string): boolean =>
  simple.args.some((arg) => subcommandsOf(program).includes(arg.value));

/** `gitstatus`, `cd..`, `git-status`: a program and its first word run together. */
function glued(seen: SeenFailure, simple: Simple, known: readonly string[]): Mend | null {
  const typed = simple.name.value;
  if (/^cd\.\.(?:\/.*)?$/.test(typed)) return split(seen, simple, 'cd', typed.slice(2));
  if (/^man\w{3,}$/.test(typed) && common.includes(typed.slice(3)))
    return split(seen, simple, 'man', typed.slice(3));
  for (const program of known.filter((name) => typed.startsWith(name) && name.length > 1)) {
    const rest = typed.slice(program.length).replace(/^-/, '');
    if (rest.length > 1 && subcommandsOf(program).includes(rest)) return split(seen, simple, program, rest);
  }
  return null;
}

function split(seen: SeenFailure, simple: Simple, program: string, rest: string): Mend {
  return {
    modify: splice(seen.command, [{ ...simple.name, text: `${program} ${rest}` }]),
    reasoning: `\`${simple.name.value}\` is \`${program}\` and \`${rest}\` without the space.`,
    confidence: 0.85,
  };
}

export const missingPackage: MendingRule = {
  id: 'program-package',
  about: 'The program comes with a package that is not installed, and one package is known to provide it.',
  async propose(seen) {
    const simple = missingProgram(seen);
    if (simple === null || simple.name.value.includes('/')) return null;
    const told =
      /(?:can be installed with|install it by running|by typing):?\s*\n?\s*(?:sudo )?(?:apt|apt-get|snap) install ([\w.+-]+)/i.exec(
        seen.output,
      )?.[1];
    const several = (seen.output.match(/^(?:sudo )?apt(?:-get)? install \S+/gm) ?? []).length > 1;
    const packages = told !== undefined && !several ? [told] : await seen.probe.packagesOf(simple.name.value);
    if (packages === null || packages.length === 0) return null;
    const chosen = packages.length === 1 ? packages[0]! : packages.find((name) => name === simple.name.value);
    if (chosen === undefined) return null;
    const command = await asRoot(seen, `apt-get install -y ${chosen}`);
    return {
      steps: [{ title: `Install ${chosen}`, command }],
      reasoning: `\`${simple.name.value}\` is not installed; the package \`${chosen}\` provides it.`,
      confidence: 0.8,
    };
  },
};

/** A bare address is a repository that somebody meant to clone. */
export const bareRepository: MendingRule = {
  id: 'git-clone-missing',
  about: 'The command is the address of a repository: it was to be cloned.',
  propose(seen) {
    const simple = seen.tree.simples.length === 1 ? seen.tree.simples[0]! : null;
    if (simple === null || simple.args.length > 0 || simple.prefixes.length > 0) return null;
    if (!/No such file or directory|not found|is not recogni[sz]ed as/i.test(seen.output)) return null;
    const address = simple.name.value;
    const isRepository =
      /^(?:https?|git|ssh):\/\/[^\s/]+[/:][^\s?#]+\/[^\s?#/]+$/.test(address) ||
      /^[\w.-]+@[\w.-]+:[^\s]+\/[^\s]+$/.test(address);
    if (!isRepository) return null;
    return {
      modify: insertBefore(seen.tree, simple, 'git clone'),
      reasoning: `\`${address}\` is the address of a repository, not a program.`,
      confidence: 0.9,
    };
  },
};

export const programTwice: MendingRule = {
  id: 'program-twice',
  about: 'The name of the program stands there twice.',
  propose(seen) {
    const simple = seen.tree.simples.find(
      ({ name, args }) => args[0]?.literal === true && args[0].value === name.value,
    );
    const second = simple?.args[0];
    if (simple === undefined || second === undefined || simple.args.length < 2) return null;
    const says = new RegExp(
      `(?:unknown|invalid|no such)[^\\n]*["'\`]?${simple.program}\\b|'${simple.program}' is not a`,
      'i',
    );
    if (!says.test(seen.output)) return null;
    return {
      modify: seen.command.slice(0, simple.name.end) + seen.command.slice(second.end),
      reasoning: `\`${simple.program}\` stands there twice.`,
      confidence: 0.93,
    };
  },
};
