import { dirname, isAbsolute, relative } from 'node:path/posix';
import { shellWord } from '../../../core/shell/index.ts';
import { makefileOf } from './compile.ts';
import { isSlipOfFolder } from './missing-path.ts';
import type { MendingRule, SeenFailure } from './rule.ts';
import { scriptOf } from './scripts.ts';

/** A message of a program that the command runs is about the folder it runs in, unless the command goes elsewhere. */
const goesElsewhere = (seen: SeenFailure): boolean =>
  seen.tree.simples.some(({ program }) => ['chroot', 'ssh', 'docker', 'kubectl', 'sudo'].includes(program));

/** The path as seen from the folder of the step; null where it cannot be. */
function below(seen: SeenFailure, path: string): string | null {
  const cwd = seen.failure.cwd;
  const inner = isAbsolute(path) && cwd !== undefined ? relative(cwd, path) : path;
  // Above the folder of the step it may still be in the workspace: whether it is, the gate sees.
  const isAbove =
    inner
      .replace(/^(?:\.\.\/)+/, '')
      .split('/')
      .includes('..') || /^[./]*$/.test(inner);
  return isAbsolute(inner) || isAbove ? null : inner;
}

/** What a program could not write, by words that only writing has. */
async function unwritten(seen: SeenFailure): Promise<string[]> {
  const { output } = seen;
  const paths = [
    ...output.matchAll(
      /cannot (?:create (?:regular file|directory|symbolic link|hard link)|touch) ['‘]([^'’\n]+)['’]: No such file or directory/g,
    ),
    ...output.matchAll(
      /(?:cannot open output file|[Uu]nable to open output file|opening dependency file|can't create) ['‘]?([^\s:'’]+)['’]?: ['‘]?No such file or directory/g,
    ),
    ...output.matchAll(/cannot create ([^\s:]+): Directory nonexistent/g),
    ...output.matchAll(/ENOENT: no such file or directory, mkdir '([^'\n]+)'/g),
  ].map((match) => match[1]!);
  const python = /FileNotFoundError: \[Errno 2\] No such file or directory: '([^'\n]+)'/.exec(output)?.[1];
  if (
    python !== undefined &&
    /open\([^\n]*,\s*(?:mode\s*=\s*)?['"][wax]|\.write_(?:text|bytes)\(|\bmkdir\(/.test(output)
  )
    paths.push(python);
  const node = /ENOENT: no such file or directory, open '([^'\n]+)'/.exec(output)?.[1];
  if (node !== undefined && /(?:writeFile|appendFile|createWriteStream|outputFile)/.test(output))
    paths.push(node);
  for (const match of output.matchAll(
    /^([^\s:]+): (?:line )?\d+: (?:cannot create )?([^\s:]+): (?:No such file or directory|Directory nonexistent)/gm,
  )) {
    const script = seen.tree.simples.map(scriptOf).find((name) => name === match[1]);
    const text = script == null ? null : await seen.probe.readText(script);
    if (text !== null && new RegExp(`>\\s*["']?${RegExp.escape(match[2]!)}`).test(text))
      paths.push(match[2]!);
  }
  // A recipe of make is run by a shell that knows no file of its own.
  for (const [, path] of output.matchAll(
    /^(?:\/bin\/)?(?:ba|da)?sh: (?:line )?\d+: ([^\s:]+): No such file or directory/gm,
  )) {
    const text = await makefileOf(seen);
    if (text !== null && new RegExp(`>\\s*["']?${RegExp.escape(path!)}`).test(text)) paths.push(path!);
  }
  return paths;
}

export const missingFolderInside: MendingRule = {
  id: 'missing-folder-inside',
  about: 'A program that the command runs writes into a folder that does not exist: it is made first.',
  async propose(seen) {
    if (goesElsewhere(seen)) return null;
    for (const path of await unwritten(seen)) {
      const inner = below(seen, path);
      const folder = inner === null ? '.' : dirname(inner);
      if (folder === '.' || (await seen.probe.kind(folder)) !== 'absent') continue;
      // A folder that is one slip from one that exists is a slip, not a wish for a new one.
      if (await isSlipOfFolder(seen, folder)) continue;
      return {
        steps: [{ title: `Make the folder ${folder}`, command: `mkdir -p ${shellWord(folder)}` }],
        reasoning: `\`${inner}\` could not be written: its folder does not exist.`,
        confidence: 0.86,
      };
    }
    return null;
  },
};

/** How a shell, make or a program that starts others says that it may not run a file. */
const mayNotRun = [
  /^(?:[^\s:]+: (?:line )?\d+|make(?:\[\d+\])?|\/bin\/(?:ba|da)?sh: \d+|env|timeout): ['‘]?([^\s:'’]+\/[^\s:'’]+)['’]?: Permission denied/gm,
  /spawn ([^\s]+\/[^\s]+) EACCES/g,
  /PermissionError: \[Errno 13\] Permission denied: '([^'\n]+\/[^'\n]+)'/g,
];

export const executeBitInside: MendingRule = {
  id: 'execute-bit-inside',
  about: 'A script that the command runs calls another one, which lacks its execute bit.',
  async propose(seen) {
    if (goesElsewhere(seen)) return null;
    for (const path of mayNotRun.flatMap((pattern) =>
      [...seen.output.matchAll(pattern)].map(([, name]) => name!),
    )) {
      const inner = below(seen, path);
      if (inner === null || (await seen.probe.kind(inner)) !== 'file') continue;
      if ((await seen.probe.isExecutable(inner)) !== false) continue;
      // Only a script is meant to be run; another file may be closed to us on purpose.
      if ((await seen.probe.readText(inner))?.startsWith('#!') !== true) continue;
      return {
        steps: [{ title: `Let ${inner} be run`, command: `chmod +x ${shellWord(inner)}` }],
        reasoning: `\`${inner}\`, which the command runs, has no execute bit.`,
        confidence: 0.9,
      };
    }
    return null;
  },
};
