import type { Action } from '../../contract/index.ts';
import { shellText } from '../../contract/index.ts';
import {
  isInterpreter,
  isShell,
  movesShell,
  readCommand,
  type Simple,
  shellCall,
  targetsOf,
} from '../../shell/index.ts';
import { isAllIdle } from './deeds.ts';
import { changed, faked, kept, type Purpose } from './keeps.ts';

/**
 * Whether a step that is put before the failed one leaves its purpose alone: it must not rewrite what that one runs,
 * nor take the session elsewhere or let its programs be others. Pure; total.
 */
export function repairKeepsPurpose(original: string, repair: Action): Purpose {
  const run = filesRunBy(original);
  const isRun = (path: string): boolean => run.has(plain(path));
  switch (repair.kind) {
    case 'write-file':
      if (!isRun(repair.path)) return kept;
      return isAllIdle(readCommand(repair.content)) ? stub(repair.path) : rewritten(repair.path);
    case 'append-file':
    case 'edit-file': {
      const text = repair.kind === 'edit-file' ? repair.new : repair.content;
      return isRun(repair.path) && hides.test(text) ? stub(repair.path) : kept;
    }
    case 'copy-path':
    case 'move-path':
      return isRun(repair.to) ? rewritten(repair.to) : kept;
    default:
      return ofCommand(shellText(repair) ?? '', isRun);
  }
}

const stub = (path: string): Purpose => faked(`It makes \`${path}\`, which the step runs, do nothing.`);
const rewritten = (path: string): Purpose => changed(`It rewrites \`${path}\`, which the step runs.`);
const hides =
  /^\s*(?:exit|return)(?:\s+0)?\s*(?:$|;|#)|\|\|\s*(?:true|:)|\bset \+e\b|process\.exit\(0\)|sys\.exit\(0?\)/m;

function ofCommand(text: string, isRun: (path: string) => boolean): Purpose {
  const tree = readCommand(text);
  if (tree.functions.length > 0) return changed('It defines functions.');
  for (const simple of tree.simples) {
    const { program, redirects } = simple;
    const written = [
      ...redirects.filter(({ operator }) => operator.includes('>')).map(({ target }) => target.value),
      ...writtenBy(simple),
    ].find(isRun);
    if (written !== undefined && !isLineEnds(simple))
      return isAllIdle(tree) && hides.test(saidIn(simple)) ? stub(written) : rewritten(written);
    if (program === 'alias') return changed('It gives a program another meaning.');
    if (movesShell(program) && tree.simples.length === 1)
      return changed('It takes the run to another folder.');
    const lasts = program === 'export' || tree.simples.length === 1;
    const path = /(?:^|\s)((?:PATH|LD_\w+|BASH_ENV|ENV)=\S*)/.exec(text.slice(simple.pos, simple.end))?.[1];
    if (lasts && path !== undefined) return changed(`It sets ${path}.`);
  }
  return kept;
}

const saidIn = ({ args }: Simple): string =>
  args.map(({ value }) => value.replaceAll('\\n', '\n')).join('\n');

function writtenBy({ program, args }: Simple): string[] {
  const operands = args.map(({ value, literal }) => ({ value: literal ? value : null, matched: false }));
  return targetsOf(program, operands).flatMap(({ index, skip, writes, mode }) =>
    writes && mode !== true ? [args[index]!.value.slice(skip)] : [],
  );
}

/** Other line ends are no other text. */
const isLineEnds = ({ program, args }: Simple): boolean =>
  program === 'dos2unix' || (program === 'sed' && args.some(({ value }) => value === 's/\\r$//'));

/** Files that decide what these programs do, besides the scripts that they are given. */
const manifests: Readonly<Record<string, string>> = {
  make: 'Makefile makefile GNUmakefile',
  gmake: 'Makefile makefile GNUmakefile',
  npm: 'package.json',
  pnpm: 'package.json',
  yarn: 'package.json',
  npx: 'package.json',
  just: 'justfile Justfile',
  task: 'Taskfile.yml Taskfile.yaml',
  rake: 'Rakefile',
  tox: 'tox.ini',
  nox: 'noxfile.py',
  pytest: 'conftest.py pytest.ini',
  gradle: 'build.gradle build.gradle.kts',
  ant: 'build.xml',
};

/** The files that a command runs: scripts by their path or as a word of an interpreter, and what tells a tool what to do. */
function filesRunBy(command: string): ReadonlySet<string> {
  const found = readCommand(command).simples.flatMap(({ name, program, args }) => {
    const words = [name.value, ...args.map(({ value }) => value)];
    const script = isShell(program)
      ? words[shellCall(words).file ?? -1]
      : runsFiles(program)
        ? args.find(({ value }) => /^(?!-)\S+\.\w+$/.test(value))?.value
        : undefined;
    return [
      ...(name.value.includes('/') ? [name.value] : []),
      ...(script === undefined ? [] : [script]),
      ...(Object.hasOwn(manifests, program) ? manifests[program]!.split(' ') : []),
    ];
  });
  return new Set(found.map(plain));
}

const runsFiles = (program: string): boolean =>
  isInterpreter(program) || /^(?:pytest|jest|vitest|mocha|bats|prove|phpunit|rspec)$/.test(program);

const plain = (path: string): string => path.replace(/^(?:\.\/)+/, '').replace(/\/{2,}/g, '/');
