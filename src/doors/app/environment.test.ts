import { expect, test } from 'vitest';
import type { Plan } from '../../core/contract/index.ts';
import { withoutModelKeys } from './environment.ts';

const planOf = (command: string): Plan => ({
  goal: 'g',
  shell: 'bash',
  revision: 0,
  steps: [{ id: 's1', title: 't', action: { kind: 'run-command', command } }],
});
const env = {
  PATH: '/bin',
  ANTHROPIC_API_KEY: 'a',
  GEMINI_API_KEY: 'g',
  MY_OPENAI_API_KEY: 'm',
  OPENAI_API_KEY: 'o',
};

test('model keys are not for steps, unless the plan names the variable', () => {
  const none = { PATH: '/bin', MY_OPENAI_API_KEY: 'm' };
  expect(withoutModelKeys(env, null)).toEqual(none);
  expect(withoutModelKeys(env, planOf('echo $MY_OPENAI_API_KEY'))).toEqual(none);
  expect(withoutModelKeys(env, planOf('curl -H "x-api-key: ${ANTHROPIC_API_KEY}" e.example'))).toEqual({
    ...none,
    ANTHROPIC_API_KEY: 'a',
  });
});
