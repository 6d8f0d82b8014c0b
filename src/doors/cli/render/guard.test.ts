import { expect, test } from 'vitest';
import { renderCall } from './guard.ts';
import { createStyle } from './style.ts';

test('of a call that could not be read, the log says why it was denied', () => {
  const look = {
    style: createStyle({ env: { LANG: 'C.UTF-8' }, isTTY: false }),
    width: 160,
    home: '/home/u',
  };
  const judged = { v: 1, type: 'call-judged', level: null, answer: 'deny' } as const;
  const call = { ...judged, seq: 1, at: 0, call: 'c', cwd: '/w' };
  const unread = { ...call, id: '1f2e3d4c', tool: '', text: '', reason: 'It names no session.' };
  expect(renderCall(unread, look)).toContain('It names no session.  (1f2e3d4c)');
  const read = { ...unread, tool: 'Bash', text: 'rm -rf /', reason: 'Planwright: blocked.' };
  expect(renderCall(read, look)).toContain('Bash  rm -rf /  (1f2e3d4c)');
});
