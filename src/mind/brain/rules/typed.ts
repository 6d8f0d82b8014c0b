import { readCommand, shellWord } from '../../../core/shell/index.ts';
import { insertAfter, replaceWords, splice, swapWords } from '../command/edit.ts';
import { missingProgram } from './missing-program.ts';
import { type MendingRule, onCommand, operands } from './rule.ts';

/** Commands as hands type them: a key too many, a script by its name alone, an address where a host is wanted. */

export const strayKey: MendingRule = {
  id: 'stray-key',
  about: 'The key beside Enter was hit with it: its letter stands at the end of the command.',
  propose(seen) {
    const found = /(?<=[\w"'/.-])[ç]+\s*$/u.exec(seen.command);
    if (found === null || !/ç|\\303\\247|not found|No such|unknown|invalid/i.test(seen.output)) return null;
    return {
      modify: seen.command.slice(0, found.index),
      reasoning: 'A letter of the key beside Enter stands at the end.',
      confidence: 0.85,
    };
  },
};

const interpreters: readonly (readonly [RegExp, string, string])[] = [
  [/^[\w./-]+\.py$/, 'python3', 'python'],
  [/^[\w./-]+\.(?:sh|bash)$/, 'bash', 'bash'],
  [/^[\w./-]+\.[cm]?js$/, 'node', 'node'],
  [/^[\w./-]+\.rb$/, 'ruby', 'ruby'],
  [/^[\w./-]+\.pl$/, 'perl', 'perl'],
];

export const scriptByName: MendingRule = {
  id: 'script-by-name',
  about: 'A script was called by its bare name: the interpreter of its kind reads it.',
  async propose(seen) {
    const simple = missingProgram(seen);
    const name = simple?.name.value ?? '';
    const row = interpreters.find(([pattern]) => pattern.test(name));
    if (simple === null || row === undefined || name.includes('/')) return null;
    const kind = await seen.probe.kind(name);
    if (kind !== 'file' && kind !== null) return null;
    const known = await seen.probe.which(row[1]);
    if (known === false) return null;
    return {
      modify: splice(seen.command, [
        { ...simple.name, text: `${known === null ? row[2] : row[1]} ${simple.name.text}` },
      ]),
      reasoning: `\`${name}\` is a script of this folder, not a program; ${row[1]} reads it.`,
      confidence: kind === null ? 0.65 : 0.9,
    };
  },
};

const wantHosts = 'whois ping ping6 dig host nslookup traceroute tracepath mtr nc telnet ssh'.split(' ');

export const hostOfAddress = onCommand({
  id: 'host-of-address',
  about: 'A program that wants the name of a host was given a whole address.',
  programs: wantHosts,
  says: /not known|not found|No match|No whois|resolve|NXDOMAIN|invalid|unknown host|no address/i,
  propose({ tree }, { args }) {
    const words = args.filter(({ value, literal }) => literal && /^https?:\/\/[^/\s]+/.test(value));
    const [word] = words;
    if (word === undefined || words.length > 1) return null;
    const host = /^https?:\/\/(?:[^/@]*@)?([^/:?#]+)/.exec(word.value)![1]!;
    return {
      modify: replaceWords(tree, [[word, host]]),
      reasoning: `\`${word.value}\` is an address; \`${host}\` is its host.`,
      confidence: 0.88,
    };
  },
});

export const registeredName = onCommand({
  id: 'whois-domain',
  about: 'whois knows names that are registered; what stands before one is its owner’s.',
  programs: ['whois'],
  says: /No match|No whois server|not found|No entries/i,
  propose({ tree }, simple) {
    const [word, ...others] = operands(simple);
    if (word === undefined || others.length > 0 || !/^(?:[\w-]+\.){2,}[a-z]{2,}$/i.test(word.value))
      return null;
    const name = word.value.split('.').slice(1).join('.');
    return {
      modify: replaceWords(tree, [[word, name]]),
      reasoning: `\`${word.value}\` is a host of \`${name}\`.`,
      confidence: 0.7,
    };
  },
});

export const openAddress = onCommand({
  id: 'open-address',
  about: 'An address without its protocol was taken for a file.',
  programs: ['open', 'xdg-open', 'gnome-open', 'kde-open', 'wslview'],
  says: /does not exist|No such file/,
  async propose({ tree, probe }, simple) {
    const [word, ...others] = operands(simple);
    if (word === undefined || others.length > 0) return null;
    if (
      !/^(?:[\w-]+\.)+(?:com|org|net|io|dev|edu|gov|info|me|co|ai|app|[a-z]{2})(?:\/\S*)?$/i.test(word.value)
    )
      return null;
    const kind = await probe.kind(word.value);
    if (kind !== 'absent' && kind !== null) return null;
    return {
      modify: replaceWords(tree, [[word, `http://${word.value}`]]),
      reasoning: `\`${word.value}\` is an address of the web, not a file.`,
      confidence: 0.75,
    };
  },
});

export const phpServer = onCommand({
  id: 'php-server',
  about: 'php serves with -S; -s shows source.',
  programs: ['php'],
  says: /Could not open input file|requires an argument -- s|Usage: php/i,
  propose({ tree }, { args }) {
    const at = args.findIndex(({ value }) => value === '-s');
    const address = args.find(({ value }) => /^[\w.[\]:]*:\d{2,5}$/.test(value));
    if (at < 0 || address === undefined) return null;
    return {
      modify: replaceWords(tree, [[args[at]!, '-S']]),
      reasoning: `\`${address.value}\` is where php is to serve, which it does with -S.`,
      confidence: 0.9,
    };
  },
});

/** Flags that only say how words are read, or that a folder is walked: nothing is skipped, forced or written by them. */
const harmless =
  /^(?:-Q|--literal|-F|--fixed-strings|-E|--extended-regexp|-P|-r|-R|--recursive|-a|--text|--binary|--wildcards|--no-index|--std=\S+|-std=\S+)$/;
const toldFlag = [
  /\brun (?:it|again|[\w.-]{1,30}) with (?:the )?[`'"]?(-[\w+=-]+)/i,
  /\b(?:use|pass|add|specify|try)(?: the)? [`'"]?(-[\w+=-]+)[`'"]?(?: flag| option| switch| to | for | if )/i,
  /enabled with the (-[\w+=-]+)/,
];

export const namedFlag: MendingRule = {
  id: 'named-flag',
  about: 'The tool names the flag by which it reads what was given; nothing is skipped or forced by it.',
  propose(seen) {
    const flag =
      toldFlag
        .map((pattern) => pattern.exec(seen.output)?.[1])
        .find((found) => found !== undefined && harmless.test(found)) ?? standardOf(seen.output);
    const simple = seen.tree.simples.length === 1 ? seen.tree.simples[0]! : null;
    if (flag === undefined || simple === null) return null;
    const isCompiler = flag.startsWith('-std=');
    if (isCompiler && !/^(?:g\+\+|clang\+\+|c\+\+)(?:-\d+)?$/.test(simple.program)) return null;
    if (simple.args.some(({ value }) => value === flag || (isCompiler && value.startsWith('-std='))))
      return null;
    return {
      modify: insertAfter(seen.tree, isCompiler ? (simple.args.at(-1) ?? simple.name) : simple.name, flag),
      reasoning: `${simple.program} names ${flag} for this.`,
      confidence: 0.8,
    };
  },
};

/** What an old compiler takes for an extension is of a standard that it knows by name. */
const standardOf = (output: string): string | undefined => {
  const year = /is a C\+\+(\d\d) extension/.exec(output)?.[1];
  return year === undefined ? undefined : `-std=c++${year}`;
};

const makesHere =
  /^(?:cmake|git|npm|yarn|pnpm|cargo|go|python3?|curl|wget|tar|unzip|touch|mkdir|echo|printf|tee)$/;

export const enterNewFolder: MendingRule = {
  id: 'cd-new-folder',
  about:
    'A folder that is gone into does not exist, and what comes then makes its own things there: it is made.',
  async propose(seen) {
    // The folder could not be entered: what comes behind it stands in no other view.
    const { simples } = readCommand(seen.command);
    const found = simples.filter(({ program }) => program === 'cd');
    const cd = found.length === 1 ? found[0]! : null;
    const path = /cd: (?:can't cd to )?['"]?([^\n:'"]+)['"]?: (?:No such file or directory|not found)/.exec(
      seen.output,
    )?.[1];
    const word = cd?.args.at(-1);
    if (cd === null || word?.literal !== true || word.value !== path || path.startsWith('-')) return null;
    const others = simples.filter((simple) => simple !== cd && simple.pos > cd.pos);
    // What is read, packed or removed there is not there either.
    if (!others.every(({ program }) => makesHere.test(program)) || others.length > 2) return null;
    const isFirst =
      others.length === 0 ||
      /^(?:cmake|git|npm|cargo|go|curl|wget|touch|mkdir|echo|printf)$/.test(others[0]!.program);
    const begins = others.every(
      ({ program, args }) =>
        !/^(?:git|npm|yarn|pnpm|cargo|go|python3?)$/.test(program) ||
        args.some(({ value }) => /^(?:init|clone|create|venv|new)$/.test(value)),
    );
    const kind = await seen.probe.kind(path);
    if (!isFirst || !begins || (kind !== 'absent' && kind !== null)) return null;
    if (kind === 'absent' && others.length === 0) return null;
    return {
      steps: [{ title: `Make the folder ${path}`, command: `mkdir -p ${shellWord(path)}` }],
      reasoning: `There is no folder \`${path}\` yet.`,
      confidence: kind === null ? 0.6 : 0.8,
    };
  },
};

export const longHelp: MendingRule = {
  id: 'long-help',
  about: 'The program does not know -h, and says that it tells with --help.',
  propose(seen) {
    const simple = seen.tree.simples.length === 1 ? seen.tree.simples[0]! : null;
    const [flag, ...others] = simple?.args ?? [];
    if (simple === null || flag?.value !== '-h' || others.length > 0) return null;
    if (!new RegExp(`${RegExp.escape(simple.program)} --help\\b`).test(seen.output)) return null;
    return {
      modify: replaceWords(seen.tree, [[flag, '--help']]),
      reasoning: `${simple.program} tells about itself with --help.`,
      confidence: 0.85,
    };
  },
};

export const linkOrder = onCommand({
  id: 'ln-order',
  about: 'The link and what it points to were given the other way round.',
  programs: ['ln'],
  says: /failed to create symbolic link ['‘]([^'’\n]+)['’]: File exists/,
  async propose({ tree, probe }, simple, [, path]) {
    const [link, target, ...others] = operands(simple);
    if (link === undefined || target === undefined || others.length > 0 || target.value !== path) return null;
    if (!simple.args.some(({ value }) => /^-\w*s/.test(value))) return null;
    if ((await probe.kind(link.value)) !== 'absent' || typeof (await probe.link(path)) === 'string')
      return null;
    return {
      modify: swapWords(tree, link, target),
      reasoning: `\`${path}\` is there and \`${link.value}\` is not: ln takes what a link points to first.`,
      confidence: 0.9,
    };
  },
});
