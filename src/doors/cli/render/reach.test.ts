import { expect, it } from 'vitest';
import type { ShownStep } from '../../../core/contract/index.ts';
import { command, makePlan } from '../../../core/contract/told/testing.ts';
import { renderReach } from './reach.ts';
import { createStyle } from './style.ts';

const look = { style: createStyle({ env: { LANG: 'C.UTF-8' }, isTTY: false }), width: 80, home: '/home/u' };
const plan = makePlan('g', [
  { title: 'One' },
  { title: 'Two' },
  { title: 'Three', undo: command('put it back') },
]);
const shown = (number: number, paths: string[], reversible = true): ShownStep => ({
  subject: { run: 'r', stepId: `s${number}`, revision: 0, action: command('x'), cwd: '/w', paths } as never,
  verdict: { level: 'caution', reasons: [], reversible, needs: [], paths },
});
const render = (...steps: ShownStep[]) => renderReach(plan, steps, '/w', look);

it('names each path once, as it is in the workspace', () => {
  expect(render(shown(1, ['/w/a.txt', '/w/b/c']), shown(2, ['/w/a.txt', '/w', 'd']))).toEqual([
    '',
    ' Would touch a.txt, b/c, ., d',
  ]);
});

it('counts what is too much to name', () => {
  const many = Array.from({ length: 40 }, (_, n) => `/w/f${n}`);
  const said = render(shown(1, many)).join(' ').replaceAll(/\s+/g, ' ');
  expect(said).toContain('f0, f1,');
  expect(said).toContain('f11 and 28 more');
  expect(said).not.toContain('f12');
});

it('what is outside, or for good, is said; a step with its own undo is not for good', () => {
  expect(render(shown(1, ['/home/u/x', '/etc/hosts']), shown(2, [], false), shown(3, [], false))).toEqual([
    '',
    ' Undo does not cover ~/x, /etc/hosts (outside the workspace)',
    ' Cannot be undone: step 2',
  ]);
});

it('a name cannot write to the terminal', () => {
  expect(render(shown(1, ['/w/\u001b[2Jx'])).join('')).not.toContain('\u001b');
});

it('what cannot be known is said, step by step', () => {
  const step = shown(2, []);
  const [, said] = render({
    ...step,
    subject: { ...step.subject, unknownPaths: 'What `sh` touches is not known.' },
  });
  expect(said).toBe(' step 2: Not all that it touches can be shown. What `sh` touches is not known.');
});

it('nothing touched, nothing said', () => {
  expect(render(shown(1, []))).toEqual([]);
});
