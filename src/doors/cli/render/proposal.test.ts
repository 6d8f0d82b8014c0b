import { expect, test } from 'vitest';
import type { RunState } from '../../../core/contract/index.ts';
import { renderProposal } from './proposal.ts';
import { createStyle } from './style.ts';

const style = createStyle({ env: { LANG: 'C.UTF-8' }, isTTY: false });

test('a plan is agreed on with the goal as it was understood, why these steps, and how sure they are', () => {
  const proposal = {
    summary: 'It is short.',
    reflection: '',
    confidence: { score: 0.92, doubts: [{ why: 'the answer had to be repaired', cost: 0.08 }] },
    warnings: [],
  };
  const planning = { proposal, restatement: 'WHO: you\nWHAT: greet the world' };
  const said = renderProposal({ planning } as unknown as RunState, { style } as never).join('\n');
  for (const line of [
    'WHO: you',
    'WHAT: greet the world',
    'It is short.',
    'Confidence 92',
    'had to be repaired',
  ])
    expect(said).toContain(line);
  expect(renderProposal({ planning: null } as unknown as RunState, { style } as never)).toEqual([]);
});
