import { isAbsolute, relative } from 'node:path/posix';
import { shellWord } from '../../../core/shell/index.ts';
import { makefileOf } from './compile.ts';
import { isWritten, missingPaths } from './missing-path.ts';
import { installWith, manifestOf } from './node.ts';
import { type Mend, type MendingRule, onCommand, type SeenFailure } from './rule.ts';
import { targetsIn } from './targets.ts';

export const notBuilt: MendingRule = {
  id: 'not-built',
  about: 'What the command runs is made by the build of the project, which has not run yet.',
  async propose(seen) {
    for (const path of missingPaths(seen.output)) {
      const inner = below(seen, path);
      if (inner === null || isWritten(seen, path) || (await seen.probe.kind(inner)) !== 'absent') continue;
      const mend = (await byManifest(seen, inner)) ?? (await byMakefile(seen, inner));
      if (mend !== null) return mend;
    }
    return null;
  },
};

export const testsNotBuilt = onCommand({
  id: 'ctest-not-built',
  about: 'The tests of a build of CMake are not built yet.',
  programs: ['ctest'],
  says: /Could not find executable (\S+)|Unable to find executable: (\S+)/,
  async propose(seen, { args }) {
    const at = args.findIndex(({ value }) => value === '--test-dir');
    const folder = at < 0 ? '.' : args[at + 1]?.value;
    if (folder === undefined || (await seen.probe.kind(`${folder}/CMakeCache.txt`)) !== 'file') return null;
    if (seen.tree.simples.some(({ program }) => program === 'cmake')) return null;
    const command = `cmake --build ${shellWord(folder)}`;
    return {
      steps: [{ title: 'Build the tests', command }],
      reasoning: `The build in \`${folder}\` is configured, but its tests were not built.`,
      confidence: 0.88,
    };
  },
});

function below({ failure: { cwd } }: SeenFailure, path: string): string | null {
  const inner = (isAbsolute(path) && cwd !== undefined ? relative(cwd, path) : path).replace(/^\.\//, '');
  return isAbsolute(inner) || inner === '' || inner.startsWith('..') ? null : inner;
}

/** Where builds of a kind leave what they make, and the file by which that kind is known. */
const outputs = /^(?:dist|build|out|output|lib|_build|\.next|public\/build)\//;

async function byManifest(seen: SeenFailure, path: string): Promise<Mend | null> {
  const cargo = /^target\/(debug|release)\/[\w-]+$/.exec(path)?.[1];
  if (cargo !== undefined && (await seen.probe.kind('Cargo.toml')) === 'file')
    return build(path, cargo === 'release' ? 'cargo build --release' : 'cargo build');
  if (!outputs.test(path)) return null;
  const manifest = await manifestOf(seen);
  if (manifest?.scripts.includes('build') !== true) return null;
  const manager = (await installWith(seen)).split(' ')[0]!;
  const isBuild = seen.tree.simples.some(({ args }) => args.some(({ value }) => value === 'build'));
  return isBuild ? null : build(path, `${manager} run build`);
}

/** A makefile that has a target of just that name. */
async function byMakefile(seen: SeenFailure, path: string): Promise<Mend | null> {
  const text = await makefileOf(seen);
  if (text === null || seen.tree.simples.some(({ program }) => /^g?make$/.test(program))) return null;
  return targetsIn(text).includes(path) ? build(path, `make ${shellWord(path)}`) : null;
}

const build = (path: string, command: string): Mend => ({
  steps: [{ title: 'Build the project', command }],
  reasoning: `\`${path}\` is made by the build of the project, which has not run: \`${command}\`.`,
  confidence: 0.88,
});
