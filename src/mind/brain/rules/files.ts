import { shellWord } from '../../../core/shell/index.ts';
import { insertAfter, replaceWords } from '../command/edit.ts';
import { hasFlag, type MendingRule, only, operands } from './rule.ts';

export const copyFolder: MendingRule = {
  id: 'cp-recursive',
  about: 'cp and scp need -r for a folder.',
  propose(seen) {
    const simple = only(seen, 'cp', 'scp');
    if (simple === null) return null;
    if (
      !/-r not specified; omitting directory|omitting directory|is a directory \(not copied\)|not a regular file|: Is a directory$/im.test(
        seen.output,
      )
    )
      return null;
    if (simple.args.some((arg) => /^-\w*[rRa]|^--(?:recursive|archive)/.test(arg.value))) return null;
    return {
      modify: insertAfter(seen.tree, simple.name, '-r'),
      reasoning: `${simple.program} copies a folder only with -r.`,
      confidence: 0.92,
    };
  },
};

export const grepFolder: MendingRule = {
  id: 'grep-recursive',
  about: 'grep searches a folder only with -r.',
  propose(seen) {
    const simple = only(seen, 'grep', 'egrep', 'fgrep');
    const folder = /^(?:\S*grep): (\S+): Is a directory/m.exec(seen.output)?.[1];
    if (
      simple === null ||
      folder === undefined ||
      simple.args.some((arg) => /^-\w*[rR]|^--recursive/.test(arg.value))
    )
      return null;
    if (!operands(simple).some((word) => word.literal && word.value === folder)) return null;
    return {
      modify: insertAfter(seen.tree, simple.name, '-r'),
      reasoning: `\`${folder}\` is a folder; grep searches folders with -r.`,
      confidence: 0.9,
    };
  },
};

export const grepOrder: MendingRule = {
  id: 'grep-order',
  about: 'The pattern and the file of grep were given the other way round.',
  async propose(seen) {
    const simple = only(seen, 'grep', 'egrep');
    const missing = /grep: ([^\n:]+): No such file or directory/.exec(seen.output)?.[1];
    const [first, second, third] = simple === null ? [] : operands(simple);
    if (first === undefined || second === undefined || third !== undefined || second.value !== missing)
      return null;
    if ((await seen.probe.kind(first.value)) !== 'file' || (await seen.probe.kind(second.value)) !== 'absent')
      return null;
    return {
      modify: replaceWords(seen.tree, [
        [first, second.value],
        [second, first.value],
      ]),
      reasoning: `\`${first.value}\` is a file and \`${second.value}\` is not: grep takes the pattern first.`,
      confidence: 0.85,
    };
  },
};

export const listFolder: MendingRule = {
  id: 'cat-folder',
  about: 'cat of one folder, for somebody to read: ls shows it.',
  propose(seen) {
    const simple = only(seen, 'cat');
    const folder = /cat: (\S+): Is a directory/.exec(seen.output)?.[1];
    if (simple === null || folder === undefined || !simple.alone || simple.redirects.length > 0) return null;
    if (simple.args.length !== 1 || simple.args[0]!.value !== folder) return null;
    return {
      modify: replaceWords(seen.tree, [[simple.name, 'ls']]),
      reasoning: `\`${folder}\` is a folder; ls shows what is in it.`,
      confidence: 0.6,
    };
  },
};

export const removeEmptyFolder: MendingRule = {
  id: 'rm-empty-folder',
  about: 'rm of a folder that is known to be empty: rmdir removes it, and nothing else.',
  async propose(seen) {
    const simple = only(seen, 'rm');
    const folder = /cannot remove ['‘]([^'’]+)['’]: Is a directory/.exec(seen.output)?.[1];
    const words = simple === null ? [] : operands(simple);
    if (simple === null || words.length !== 1 || words[0]!.value !== folder) return null;
    if (((await seen.probe.entries(folder)) ?? ['?']).length > 0) return null;
    return {
      modify:
        seen.command.slice(0, simple.name.pos) +
        `rmdir ${words[0]!.text}` +
        seen.command.slice(words[0]!.end),
      reasoning: `\`${folder}\` is an empty folder; rmdir removes just that.`,
      confidence: 0.85,
    };
  },
};

export const hardLinkToFolder: MendingRule = {
  id: 'ln-symbolic',
  about: 'A folder can have symbolic links only.',
  propose(seen) {
    const simple = only(seen, 'ln');
    if (
      simple === null ||
      hasFlag(simple, '-s', '--symbolic') ||
      !/hard link not allowed for directory/.test(seen.output)
    )
      return null;
    return {
      modify: insertAfter(seen.tree, simple.name, '-s'),
      reasoning: 'A folder cannot have a hard link; a symbolic one can point to it.',
      confidence: 0.82,
    };
  },
};

export const linkExists: MendingRule = {
  id: 'ln-replace',
  about: 'A symbolic link is to be made where there is one already: it is pointed to the new place.',
  async propose(seen) {
    const simple = only(seen, 'ln');
    const path = /failed to create symbolic link ['‘]([^'’\n]+)['’]: File exists/.exec(seen.output)?.[1];
    if (simple === null || path === undefined) return null;
    if (simple.args.some((arg) => /^-\w*[fi]|^--(?:force|interactive)/.test(arg.value))) return null;
    // A file or a folder of that name is somebody's; only a link is lost by making it anew.
    if (typeof (await seen.probe.link(path)) !== 'string') return null;
    return {
      modify: insertAfter(seen.tree, simple.name, '-fn'),
      reasoning: `\`${path}\` is a link that points elsewhere; it is made anew.`,
      confidence: 0.8,
    };
  },
};

export const patchStrip: MendingRule = {
  id: 'patch-strip',
  about: 'A patch names its files with a folder before them that is not there; patch asks for -p.',
  async propose(seen) {
    const simple = only(seen, 'patch');
    if (simple === null || !/-p or --strip option\?/.test(seen.output)) return null;
    if (simple.args.some((arg) => /^-\w*p\d?|^--strip/.test(arg.value))) return null;
    const named = /^\|?\+\+\+ b\/(\S+)/m.exec(seen.output)?.[1];
    if (named === undefined || (await seen.probe.kind(named)) === 'absent') return null;
    return {
      modify: insertAfter(seen.tree, simple.name, '-p1'),
      reasoning: 'The patch was made by git: its names begin with a/ and b/, which -p1 takes off.',
      confidence: 0.88,
    };
  },
};

export const cdIntoFile: MendingRule = {
  id: 'cd-into-file',
  about: 'cd to a file: its folder was meant.',
  async propose(seen) {
    const simple = only(seen, 'cd');
    const path = /cd: (?:can't cd to )?([^\n:]+): Not a directory/.exec(seen.output)?.[1];
    const word = simple?.args.at(-1);
    if (word === undefined || word.value !== path || !path.includes('/')) return null;
    if ((await seen.probe.kind(path)) !== 'file') return null;
    const folder = path.slice(0, path.lastIndexOf('/')) || '/';
    return {
      modify: replaceWords(seen.tree, [[word, folder]]),
      reasoning: `\`${path}\` is a file; its folder is \`${folder}\`.`,
      confidence: 0.7,
    };
  },
};

export const sedUnterminated: MendingRule = {
  id: 'sed-unterminated',
  about: 'An s command of sed lacks its last delimiter.',
  propose(seen) {
    const simple = only(seen, 'sed');
    if (
      simple === null ||
      !/unterminated `s' command|unterminated substitute (?:pattern|in regular)/.test(seen.output)
    )
      return null;
    const scripts = simple.args.flatMap((arg) => {
      const body = arg.value.replace(/^-[nErsiz]*e/, '').replace(/^--expression=/, '');
      return arg.literal && /^s[^\w\s\\]/.test(body) && countDelimiters(body) === 2 ? [arg] : [];
    });
    if (scripts.length === 0) return null;
    return {
      modify: replaceWords(
        seen.tree,
        scripts.map((arg) => [arg, arg.value + delimiterOf(arg.value)] as const),
      ),
      reasoning: 'The s command of sed ends without its last delimiter.',
      confidence: 0.93,
    };
  },
};

const delimiterOf = (script: string): string => /^(?:-\w*e|--expression=)?s(.)/.exec(script)![1]!;

function countDelimiters(script: string): number {
  const plain = script.replace(/\\./g, '');
  return plain.split(script[1]!).length - 1;
}

export const proveRecursively: MendingRule = {
  id: 'prove-recursively',
  about: 'prove found no tests in the folder itself; -r looks below.',
  propose(seen) {
    const simple = only(seen, 'prove');
    if (simple === null || !/Result: NOTESTS/.test(seen.output) || operands(simple).length === 0) return null;
    if (simple.args.some((arg) => /^-\w*r|^--recurse/.test(arg.value))) return null;
    return {
      modify: insertAfter(seen.tree, simple.name, '-r'),
      reasoning: 'There are no tests in the folder itself; -r looks in those below.',
      confidence: 0.88,
    };
  },
};

export const tarCompression: MendingRule = {
  id: 'tar-compression',
  about: 'tar was told the wrong compression; it finds out by itself with none named.',
  propose(seen) {
    const simple = only(seen, 'tar');
    if (
      simple === null ||
      !/not in gzip format|is not a bzip2 file|File format not recognized|not in lzma format/i.test(
        seen.output,
      )
    )
      return null;
    const first = simple.args[0];
    if (
      first === undefined ||
      !/^-?[a-z]+$/.test(first.value) ||
      !/x|t/.test(first.value) ||
      !/[zjJ]/.test(first.value)
    )
      return null;
    return {
      modify: replaceWords(seen.tree, [[first, first.value.replace(/[zjJ]/g, '')]]),
      reasoning: 'The archive is compressed in another way than the flag says; without it tar finds out.',
      confidence: 0.8,
    };
  },
};

export const executeBit: MendingRule = {
  id: 'execute-bit',
  about: 'A script that the command runs lacks its execute bit.',
  async propose(seen) {
    if (!/Permission denied|EACCES|command not found/i.test(seen.output)) return null;
    for (const simple of seen.tree.simples) {
      const path = simple.name.value;
      if (!simple.name.literal || !path.includes('/')) continue;
      const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
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
      return {
        steps: [{ title: `Let ${path} be run`, command: `chmod +x ${shellWord(path)}` }],
        reasoning: `\`${path}\` has no execute bit.`,
        confidence: kind === null ? 0.8 : 0.94,
      };
    }
    return null;
  },
};

export const unquotedPattern: MendingRule = {
  id: 'find-unquoted',
  about: 'The shell expanded the pattern that find was to have; quoted, find gets it.',
  propose(seen) {
    const simple = only(seen, 'find');
    if (simple === null || !/possible unquoted pattern after predicate/.test(seen.output)) return null;
    const words = simple.args.filter(
      (arg, at) =>
        /^-i?(?:name|path|wholename)$/.test(simple.args[at - 1]?.value ?? '') &&
        /^[\w.*?[\]/-]+$/.test(arg.text),
    );
    if (words.length === 0) return null;
    return {
      modify: replaceWords(
        seen.tree,
        words.map((word) => [word, word.text] as const),
      ),
      reasoning: 'The shell expands the pattern before find sees it; in quotes it stays one.',
      confidence: 0.92,
    };
  },
};
