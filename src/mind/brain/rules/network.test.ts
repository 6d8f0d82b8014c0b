import { expect, test } from 'vitest';
import { emptyContext } from '../brain.ts';
import { createRulesBrain } from './brain.ts';

const retries = async (stderrTail: string, times: number) => {
  const correction = { action: 'retry', delayMs: 1, reasoning: '', confidence: 1 } as const;
  const source = { brain: 'rule', name: 'transient' } as const;
  const step = { kind: 'run-command', command: 'curl http://x/' } as const;
  const found = await createRulesBrain().analyzeFailure(
    {
      step: { title: 'x', action: step },
      result: { exitCode: 7, stdoutTail: '', stderrTail, why: 'exit-code' },
      earlier: Array.from({ length: times }, () => ({
        action: 'RUN_COMMAND curl http://x/',
        stderrTail,
        correction: { ...correction, source },
      })),
      shell: 'bash',
      goal: '',
    },
    emptyContext,
  );
  return found?.delayMs ?? null;
};

test('what is to listen on this machine is given three chances, each after a longer while; others two', async () => {
  const here = "curl: (7) Failed to connect to 127.0.0.1 port 8000 after 0 ms: Couldn't connect to server\n";
  expect([await retries(here, 0), await retries(here, 1), await retries(here, 2)]).toEqual([
    2000, 4000, 8000,
  ]);
  expect(await retries(here, 3)).toBeNull();
  const far = 'curl: (28) Connection timed out\n';
  expect([await retries(far, 1), await retries(far, 2)]).toEqual([4000, null]);
});
