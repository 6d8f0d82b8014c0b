import { shellWord } from '../../../core/shell/index.ts';
import { insertAfter, replaceWords, splice, swapWords } from '../command/edit.ts';
import { type MendingRule, onCommand, operands, type SeenFailure } from './rule.ts';

export const copyFolder = onCommand({
  id: 'cp-recursive',
  about: 'cp and scp need -r for a folder.',
  programs: ['cp', 'scp'],
  says: /-r not specified; omitting directory|omitting directory|is a directory \(not copied\)|not a regular file|: Is a directory$/im,
  unless: /^-\w*[rRa]|^--(?:recursive|archive)/,
  propose: ({ tree }, { name, program }) => ({
    modify: insertAfter(tree, name, '-r'),
    reasoning: `${program} copies a folder only with -r.`,
    confidence: 0.92,
  }),
});

export const grepFolder = onCommand({
  id: 'grep-recursive',
  about: 'grep searches a folder only with -r.',
  programs: ['grep', 'egrep', 'fgrep'],
  says: /^(?:\S*grep): (\S+): Is a directory/m,
  unless: /^-\w*[rR]|^--recursive/,
  propose({ tree }, simple, [, folder]) {
    if (!operands(simple).some((word) => word.literal && word.value === folder)) return null;
    return {
      modify: insertAfter(tree, simple.name, '-r'),
      reasoning: `\`${folder}\` is a folder; grep searches folders with -r.`,
      confidence: 0.9,
    };
  },
});

export const grepOrder = onCommand({
  id: 'grep-order',
  about: 'The pattern and the file of grep were given the other way round.',
  programs: ['grep', 'egrep'],
  says: /grep: ([^\n:]+): No such file or directory/,
  async propose({ tree, probe }, simple, [, missing]) {
    const [first, second, third] = operands(simple);
    if (first === undefined || second === undefined || third !== undefined || second.value !== missing)
      return null;
    const [own, other] = [await probe.kind(first.value), await probe.kind(second.value)];
    // A dot as a pattern finds everything: as a place it makes sense.
    const isPlace = own === null && /^\.{1,2}(?:\/|$)/.test(first.value);
    if (!isPlace && (own !== 'file' || other !== 'absent')) return null;
    return {
      modify: swapWords(tree, first, second),
      reasoning: `\`${first.value}\` is a file and \`${second.value}\` is not: grep takes the pattern first.`,
      confidence: 0.85,
    };
  },
});

export const listFolder = onCommand({
  id: 'cat-folder',
  about: 'cat of one folder, for somebody to read: ls shows it.',
  programs: ['cat'],
  says: /cat: (\S+): Is a directory/,
  propose({ tree }, { name, args, alone, redirects }, [, folder]) {
    if (!alone || redirects.length > 0 || args.length !== 1 || args[0]!.value !== folder) return null;
    return {
      modify: replaceWords(tree, [[name, 'ls']]),
      reasoning: `\`${folder}\` is a folder; ls shows what is in it.`,
      confidence: 0.6,
    };
  },
});

export const removeEmptyFolder = onCommand({
  id: 'rm-empty-folder',
  about: 'rm of a folder that is known to be empty: rmdir removes it, and nothing else.',
  programs: ['rm'],
  says: /cannot remove ['‘]([^'’]+)['’]: Is a directory/,
  async propose({ command, probe }, simple, [, folder]) {
    const [word, ...others] = operands(simple);
    if (word === undefined || others.length > 0 || word.value !== folder) return null;
    if (((await probe.entries(folder)) ?? ['?']).length > 0) return null;
    return {
      modify: splice(command, [{ pos: simple.name.pos, end: word.end, text: `rmdir ${word.text}` }]),
      reasoning: `\`${folder}\` is an empty folder; rmdir removes just that.`,
      confidence: 0.85,
    };
  },
});

export const hardLinkToFolder = onCommand({
  id: 'ln-symbolic',
  about: 'A folder can have symbolic links only.',
  programs: ['ln'],
  says: /hard link not allowed for directory/,
  unless: /^(?:-s|--symbolic)(?:=|$)/,
  propose: ({ tree }, { name }) => ({
    modify: insertAfter(tree, name, '-s'),
    reasoning: 'A folder cannot have a hard link; a symbolic one can point to it.',
    confidence: 0.82,
  }),
});

export const linkExists = onCommand({
  id: 'ln-replace',
  about: 'A symbolic link is to be made where there is one already: it is pointed to the new place.',
  programs: ['ln'],
  says: /failed to create symbolic link ['‘]([^'’\n]+)['’]: File exists/,
  unless: /^-\w*[fi]|^--(?:force|interactive)/,
  async propose({ tree, probe }, { name }, [, path]) {
    // A file or a folder of that name is somebody's; only a link is lost by making it anew.
    if (typeof (await probe.link(path!)) !== 'string') return null;
    return {
      modify: insertAfter(tree, name, '-fn'),
      reasoning: `\`${path}\` is a link that points elsewhere; it is made anew.`,
      confidence: 0.8,
    };
  },
});

export const patchStrip = onCommand({
  id: 'patch-strip',
  about: 'A patch names its files with a folder before them that is not there; patch asks for -p.',
  programs: ['patch'],
  says: /-p or --strip option\?/,
  unless: /^-\w*p\d?|^--strip/,
  async propose({ tree, output, probe }, { name }) {
    const named = /^\|?\+\+\+ b\/(\S+)/m.exec(output)?.[1];
    if (named === undefined || (await probe.kind(named)) === 'absent') return null;
    return {
      modify: insertAfter(tree, name, '-p1'),
      reasoning: 'The patch was made by git: its names begin with a/ and b/, which -p1 takes off.',
      confidence: 0.88,
    };
  },
});

export const cdIntoFile = onCommand({
  id: 'cd-into-file',
  about: 'cd to a file: its folder was meant.',
  programs: ['cd'],
  says: /cd: (?:can't cd to )?([^\n:]+): Not a directory/,
  async propose({ tree, probe }, { args }, [, path = '']) {
    const word = args.at(-1);
    if (word === undefined || word.value !== path || !path.includes('/')) return null;
    if ((await probe.kind(path)) !== 'file') return null;
    const folder = path.slice(0, path.lastIndexOf('/')) || '/';
    return {
      modify: replaceWords(tree, [[word, folder]]),
      reasoning: `\`${path}\` is a file; its folder is \`${folder}\`.`,
      confidence: 0.7,
    };
  },
});

export const sedUnterminated = onCommand({
  id: 'sed-unterminated',
  about: 'An s command of sed lacks its last delimiter.',
  programs: ['sed'],
  says: /unterminated `s' command|unterminated substitute (?:pattern|in regular)/,
  propose({ tree }, { args }) {
    const scripts = args.filter((arg) => {
      const body = arg.value.replace(/^-[nErsiz]*e/, '').replace(/^--expression=/, '');
      return arg.literal && /^s[^\w\s\\]/.test(body) && countDelimiters(body) === 2;
    });
    if (scripts.length === 0) return null;
    return {
      modify: replaceWords(
        tree,
        scripts.map((arg) => [arg, arg.value + delimiterOf(arg.value)] as const),
      ),
      reasoning: 'The s command of sed ends without its last delimiter.',
      confidence: 0.93,
    };
  },
});

const delimiterOf = (script: string): string => /^(?:-\w*e|--expression=)?s(.)/.exec(script)![1]!;

function countDelimiters(script: string): number {
  const plain = script.replace(/\\./g, '');
  return plain.split(script[1]!).length - 1;
}

export const proveRecursively = onCommand({
  id: 'prove-recursively',
  about: 'prove found no tests in the folder itself; -r looks below.',
  programs: ['prove'],
  says: /Result: NOTESTS/,
  unless: /^-\w*r|^--recurse/,
  propose({ tree }, simple) {
    if (operands(simple).length === 0) return null;
    return {
      modify: insertAfter(tree, simple.name, '-r'),
      reasoning: 'There are no tests in the folder itself; -r looks in those below.',
      confidence: 0.88,
    };
  },
});

export const tarCompression = onCommand({
  id: 'tar-compression',
  about: 'tar was told the wrong compression; it finds out by itself with none named.',
  programs: ['tar'],
  says: /not in gzip format|is not a bzip2 file|File format not recognized|not in lzma format/i,
  propose({ tree }, { args: [first] }) {
    if (first === undefined || !/^(?=.*[xt])(?=.*[zjJ])-?[a-z]+$/.test(first.value)) return null;
    return {
      modify: replaceWords(tree, [[first, first.value.replace(/[zjJ]/g, '')]]),
      reasoning: 'The archive is compressed in another way than the flag says; without it tar finds out.',
      confidence: 0.8,
    };
  },
});

export const executeBit: MendingRule = {
  id: 'execute-bit',
  about: 'A script that the command runs lacks its execute bit.',
  async propose(seen) {
    if (!/Permission denied|EACCES|command not found/i.test(seen.output)) return null;
    for (const simple of seen.tree.simples) {
      const path = simple.name.value;
      if (!simple.name.literal || !path.includes('/')) continue;
      const escaped = RegExp.escape(path);
      const isNamed = new RegExp(
        `(?:^|[\\s:'"‘])${escaped}['"’]?: (?:Permission denied|command not found)|spawn ${escaped} EACCES|unable to execute ${escaped}: Permission denied`,
        'm',
      ).test(seen.output);
      if (!isNamed) continue;
      const kind = await seen.probe.kind(path);
      const executable = await seen.probe.isExecutable(path);
      if ((kind !== 'file' && kind !== null) || executable === true) continue;
      if (
        kind === null &&
        (!/Permission denied/.test(seen.output) ||
          !/^\.{0,2}\/?[\w.-]/.test(path) ||
          /^\/(?:etc|usr|var|root|bin|sbin)\//.test(path))
      )
        continue;
      if (!(await isProgram(seen, path))) continue;
      return {
        steps: [{ title: `Let ${path} be run`, command: `chmod +x ${shellWord(path)}` }],
        reasoning: `\`${path}\` has no execute bit.`,
        confidence: kind === null ? 0.8 : 0.94,
      };
    }
    return null;
  },
};

/** Whether it reads as something to be run; a list or a letter does not, whatever it is called by. */
async function isProgram({ probe }: SeenFailure, path: string): Promise<boolean> {
  const text = await probe.readText(path);
  return (
    text === null || /^(?:#!|\x7fELF|\ufffdELF)/.test(text) || /\.(?:sh|bash|py|pl|rb|js|run|bin)$/.test(path)
  );
}

export const unquotedPattern = onCommand({
  id: 'find-unquoted',
  about: 'The shell expanded the pattern that find was to have; quoted, find gets it.',
  programs: ['find'],
  says: /possible unquoted pattern after predicate/,
  propose({ tree }, { args }) {
    const words = args.filter(
      ({ text }, at) =>
        /^-i?(?:name|path|wholename)$/.test(args[at - 1]?.value ?? '') && /^[\w.*?[\]/-]+$/.test(text),
    );
    if (words.length === 0) return null;
    return {
      modify: replaceWords(
        tree,
        words.map((word) => [word, word.text] as const),
      ),
      reasoning: 'The shell expands the pattern before find sees it; in quotes it stays one.',
      confidence: 0.92,
    };
  },
});
