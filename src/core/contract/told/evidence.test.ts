import { expect, test } from 'vitest';
import type { ApprovalState } from '../index.ts';
import { evidenceOf } from './evidence.ts';
import { dangerous, docsPlan, printAction, tellStory } from './testing.ts';

test('an approval shows all that it is bound to: what it touches, that there may be more, and its variables', () => {
  const { state } = tellStory(docsPlan()).agree();
  const step = docsPlan().steps[0]!;
  const told = (paths: string[]) => {
    const subject = {
      ...{ run: 'r', stepId: step.id, revision: 0, action: step.action, cwd: '/srv', paths },
      ...{ unknownPaths: 'It names a variable.', env: { TARGET: 'two words' } },
    };
    const approval = { id: 'a1', subject, verdict: dangerous, fingerprint: 'f' } as unknown as ApprovalState;
    return evidenceOf({ kind: 'approval', stepId: step.id, step, approval }, state, printAction).join('\n');
  };
  expect(told(['/srv/a', '/srv/b'])).toContain('Would touch 2 paths:\n  /srv/a\n  /srv/b\n');
  expect(told(['/srv/a'])).toContain('Not all that it touches can be shown. It names a variable.');
  expect(told(['/srv/a'])).toContain('With TARGET="two words"');
  expect(told(Array.from({ length: 30 }, (_, n) => `/srv/${n}`))).toContain('30 in /srv/');
});
