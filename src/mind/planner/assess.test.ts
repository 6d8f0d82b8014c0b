import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { actionUsages } from '../../core/plan/index.ts';
import { assessDraft } from './assess.ts';
import { envelope, outputs, tagged } from './testing/outputs.ts';

const allowedActions = actionUsages.map(({ kind }) => kind).filter((kind) => kind !== 'call-tool');
const assess = (raw: string) => assessDraft(raw, { goal: 'greet', shell: 'bash', allowedActions });

describe('every answer of a model becomes what the table says', () => {
  it('which has at least sixty of them, no two alike', () => {
    expect(outputs.length).toBeGreaterThanOrEqual(60);
    expect(new Set(outputs.map(({ name }) => name)).size).toBe(outputs.length);
  });

  it.each(outputs)('$name: $is', async ({ raw, is, how, codes, step }) => {
    const assessed = await assess(raw);
    expect(assessed.is).toBe(is);
    if ('how' in assessed) {
      if (how === undefined) expect(assessed.how).toEqual([]);
      else expect(assessed.how.join(', ')).toMatch(how);
    }
    if (assessed.is !== 'rejected') return;
    expect([...new Set(assessed.reasons.map(({ code }) => code))]).toEqual(codes);
    for (const reason of assessed.reasons) {
      expect(reason.message).toMatch(/\.$/);
      expect(reason.hint).not.toBe('');
      if (reason.step !== undefined) expect(reason.message).toContain(`${reason.step}`);
    }
    expect(assessed.reasons[0]?.step).toBe(step);
  });
});

/** What other projects recorded. In a checkout without the shared folder there is none. */
const file = fileURLToPath(new URL('../../../../shared/corpora/model-outputs.json', import.meta.url));
const recorded = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as { outputs: { raw: string }[] }).outputs.map(({ raw }) => raw)
  : [];
if (recorded.length === 0) console.warn(`the corpora are not here (${file}): what needs them is skipped`);

describe.skipIf(recorded.length === 0)('answers that real models gave to another agent', () => {
  it.each(recorded.map((raw, index) => [index, raw] as const))(
    '%i is no plan of ours',
    async (_index, raw) => {
      expect((await assess(raw)).is).toMatch(/^(?:rejected|unreadable)$/);
    },
  );

  it.each(recorded.map((raw, index) => [index, raw] as const))(
    'a plan is found beneath %i',
    async (_index, raw) => {
      expect(await assess(`${raw}\n\n${tagged(envelope())}\n`)).toMatchObject({ is: 'accepted', how: [] });
    },
  );
});
