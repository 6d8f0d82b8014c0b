import { join } from 'node:path/posix';
import { isSlip } from '../../../core/plan/nearest.ts';
import { replaceWords } from '../command/edit.ts';
import { type MendingRule, onCommand, type SeenFailure } from './rule.ts';
import { meant } from './similar.ts';

export const misspeltWorkspace: MendingRule = onCommand({
  id: 'npm-workspace',
  about: 'The project has no workspace of that name, but one that is a slip away.',
  programs: ['npm'],
  says: /No workspaces found:\s*(?:npm (?:ERR!|error)\s*)?--workspace=(\S+)/,
  async propose(seen, { args }, [, named]) {
    const word = args.find(
      ({ value, literal }, at) =>
        literal &&
        (/^(?:-w|--workspace)$/.test(args[at - 1]?.value ?? '')
          ? value === named
          : value === `--workspace=${named}`),
    );
    const right =
      word === undefined
        ? null
        : meant(
            named!,
            (await workspacesOf(seen)).filter((each) => isSlip(named!, each)),
          );
    if (word === undefined || right === null) return null;
    return {
      modify: replaceWords(seen.tree, [[word, word.value.replace(named!, right)]]),
      reasoning: `There is no workspace \`${named}\`; \`${right}\` is one slip away.`,
      confidence: 0.87,
    };
  },
});

/** Their folders, and the names that they give themselves: of `packages/*` and of folders that are listed as they are. */
async function workspacesOf({ probe }: SeenFailure): Promise<string[]> {
  const listed = (await read(probe, 'package.json'))?.['workspaces'];
  const globs = Array.isArray(listed) ? listed.filter((glob) => typeof glob === 'string') : [];
  const folders: string[] = [];
  for (const glob of globs.slice(0, 20)) {
    const above = /^([\w./-]+)\/\*$/.exec(glob)?.[1];
    const below = above === undefined ? null : await probe.entries(above);
    folders.push(...(above === undefined ? [glob] : (below ?? []).map((name) => join(above, name))));
  }
  const names = await Promise.all(
    folders.slice(0, 100).map(async (folder) => (await read(probe, join(folder, 'package.json')))?.['name']),
  );
  return [...folders, ...names.filter((name) => typeof name === 'string')];
}

async function read(probe: SeenFailure['probe'], path: string): Promise<Record<string, unknown> | null> {
  try {
    return JSON.parse((await probe.readText(path)) ?? 'null') as Record<string, unknown> | null;
  } catch {
    return null;
  }
}
