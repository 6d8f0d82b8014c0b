import { expect, test } from 'vitest';
import type { Correction } from '../../../core/contract/index.ts';
import { helpWanted } from '../../../core/contract/told/index.ts';
import { docsPlan, tellStory } from '../../../core/contract/told/testing.ts';
import { renderFailure, renderStuck } from './failure.ts';
import { createStyle } from './style.ts';

const style = createStyle({ env: { LANG: 'C.UTF-8' }, isTTY: false });
const look = { style, width: 70, home: '/home/ada' };
const failing = { exitCode: 2, message: 'exited with code 2', stderrTail: 'no rule\nto make it\n' };

test('a stuck run asks with its evidence, why it was given up, and every way on', () => {
  const story = tellStory(docsPlan(), { mode: 'agentic' }).agree().start(1).fail(1, 5, failing);
  const message = 'it was attempted 3 times after the first time, and still fails';
  story.tell(
    { type: 'agent-stuck', stepId: 's1', limit: 'retries-per-step', used: 3, max: 3, message },
    { type: 'run-paused', reason: 'agent-stuck', message },
  );
  const help = helpWanted(story.state);
  if (help?.kind !== 'stuck') throw new Error('nobody is stuck');
  const title = docsPlan().steps[0]!.title;
  expect(renderStuck(help, story.state, { brain: true, models: true }, look).join('\n')).toBe(
    ` ✗ Step 1 of 9 could not be mended: ${title}

   Exited with code 2.
   │ no rule
   │ to make it

   Given up: it was attempted 3 times after the first time, and still
   fails.

   h  Give the brain a hint
   e  Edit the step, and run it
   s  Skip it, and go on
   m  Allow more attempts
   o  Ask another model
   a  Abort: cancel the run
   x  Stop here, resume later    Enter`,
  );
  const without = renderStuck(help, story.state, { brain: false, models: true }, look).join('\n');
  expect(without).not.toMatch(/hint|another model/);
});

test('a script that stopped on its way shows what of it ran', () => {
  const halfway = { done: ['cd site', 'make', 'cp a b', 'git commit -m x'], failed: 'git push  origin' };
  const { state } = tellStory(docsPlan(), { mode: 'teacher' })
    .agree()
    .start(1)
    .fail(1, 5, { ...failing, halfway });
  const text = renderFailure('s1', state, null, look).join(' ').replace(/\s+/g, ' ');
  expect(text).toContain(
    'Ran before: 1 command more, `make`, `cp a b`, `git commit -m x`; it stopped at `git push origin`.',
  );
});

test('a correction is shown with all that it changes of the step', () => {
  const { state } = tellStory(docsPlan(), { mode: 'teacher' }).agree().start(1).fail(1, 5, failing);
  const correction: Correction = {
    action: 'modify',
    reasoning: 'It is in the wrong place.',
    newSteps: [{ step: 'Make it', action: 'CREATE_DIR site' }],
    modifiedStep: { action: 'COPY_PATH a TO site/a', cwd: 'site', expects: 'exit 0', timeoutMs: 90_000 },
    confidence: 0.9,
    source: { brain: 'rule', name: 'r' },
  };
  const text = renderFailure('s1', state, correction, look).join('\n');
  expect(text).toContain(`   │ first    CREATE_DIR site
   │ then     COPY_PATH a TO site/a
   │ in       site
   │ expects  exit 0
   │ timeout  1m 30s`);
});
