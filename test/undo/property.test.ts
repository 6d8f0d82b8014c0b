import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCheckpoints } from '../../src/world/workspace/index.ts';
import { createRandom } from '../simulation/random.ts';
import { howMany, lengthy } from '../support/scale.ts';
import { expectedAfterUndo } from './expected.ts';
import { kinds, makeSite, makeTemplates, quickFolder } from './places.ts';
import { handIn } from './story.ts';
import { differences, fingerprint, readTree, type Tree } from './tree.ts';

/** Stories of a run and a person in one workspace, told from a seed. UNDO_SEED=4711 tells one alone. */
const only = process.env['UNDO_SEED'];
const stories = howMany(300, 15);
const seeds = only === undefined ? Array.from({ length: stories }, (_, at) => at + 1) : [Number(only)];

let root: string;
beforeAll(() => {
  root = quickFolder();
  makeTemplates(join(root, 'templates'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The workspace without the user's own `.git`, which has its own check. */
const look = (workspace: string): Tree => readTree(workspace, (path) => path === '.git');

async function tell(seed: number): Promise<string[]> {
  const random = createRandom(seed);
  const folder = join(root, String(seed));
  const site = makeSite(join(root, 'templates'), kinds[seed % kinds.length]!, folder);
  const { workspace } = site;
  const outside = join(workspace, '../outside');
  mkdirSync(outside, { recursive: true });
  writeFileSync(join(outside, 'precious'), 'not yours');

  const before = handIn(workspace, random, 'old');
  before.act(4 + random.int(14));
  rmSync(join(workspace, 'keep.log'), { recursive: true, force: true });
  writeFileSync(join(workspace, 'keep.log'), 'kept');
  const untouched = [outside, ...(site.git === null ? [] : [site.git])];
  const prints = untouched.map(fingerprint);
  const save = random.chance(0.5) ? ['x.log', 'y.tmp'] : [];

  const checkpoints = await openCheckpoints({
    dir: join(folder, 'data'),
    workspace,
    // Half of them trust the times of what is just a little older than themselves, and skip it.
    trustAfterMs: seed % 8 < 4 ? 40 : 2_000,
  });
  try {
    const trees: Record<string, Tree> = { before: look(workspace) };
    const first = await checkpoints.take('before', { save });
    for (let step = random.int(3); step >= 0; step -= 1) {
      handIn(workspace, random, `run${step}`).act(1 + random.int(6));
      if (step > 0 && random.chance(0.3)) await checkpoints.take('between', { save });
    }
    trees['after'] = look(workspace);
    const last = await checkpoints.take('after', { save });
    const person = handIn(workspace, random, 'person');
    if (random.chance(0.7)) person.act(random.int(6));
    if (random.chance(0.3)) person.putBack(trees['before']!);
    trees['now'] = look(workspace);

    const plan = await checkpoints.planUndo({ before: first, after: last });
    const isUntouched = differences(look(workspace), trees['now']);
    const result = await checkpoints.performUndo(plan);
    const expected = expectedAfterUndo({
      before: trees['before']!,
      after: trees['after']!,
      now: trees['now']!,
      saved: new Set(save),
      tracked: new Set(site.tracked),
    });
    const wrong = [...isUntouched, ...differences(look(workspace), expected)];
    if (!result.isComplete || result.failed.length > 0)
      wrong.push(`failed: ${JSON.stringify(result.failed)}`);
    if (random.chance(0.2)) {
      const back = await checkpoints.planUndo({ before: result.checkpoint, after: result.after });
      await checkpoints.performUndo(back);
      wrong.push(...differences(look(workspace), trees['now']!).map((line) => `undone undo: ${line}`));
    }
    if (untouched.map(fingerprint).join() !== prints.join())
      wrong.push('the user’s .git or what is outside was touched');
    return wrong;
  } finally {
    await checkpoints.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

test(`undo restores exactly what the run changed, in ${seeds.length} stories`, lengthy, async () => {
  const waiting = [...seeds];
  const broken: string[] = [];
  const teller = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined && broken.length < 5; seed = waiting.shift()) {
      const wrong = await tell(seed).catch((error: unknown) => [String((error as Error).stack)]);
      if (wrong.length > 0) broken.push(`UNDO_SEED=${seed}\n  ${wrong.join('\n  ')}`);
    }
  };
  await Promise.all([teller(), teller(), teller()]);
  expect(broken.join('\n'), 'stories with another end than expected').toBe('');
});
