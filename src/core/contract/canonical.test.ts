import { expect, test } from 'vitest';
import { canonical, fingerprint, hashPlan, type Plan, type Subject } from './index.ts';

test('equal values give equal texts, whatever the order of their keys', () => {
  expect(canonical({ b: [1, { d: null, c: 'x' }], a: undefined })).toBe('{"b":[1,{"c":"x","d":null}]}');
  expect(canonical({ a: 1, b: 2 })).toBe(canonical({ b: 2, a: 1 }));
});

const subject: Subject = {
  run: 'r',
  stepId: 's1',
  revision: 0,
  action: { kind: 'run-command', command: 'rm -rf build' },
  cwd: '/w',
  paths: ['/w/build'],
};

test.each([
  ['the run', { run: 'other' }],
  ['the step', { stepId: 's2' }],
  ['the revision', { revision: 1 }],
  ['the action', { action: { kind: 'run-command' as const, command: 'rm -rf built' } }],
  ['the directory', { cwd: '/w2' }],
  ['a path', { paths: ['/w/build', '/w/new'] }],
  ['what cannot be shown', { unknownPaths: 'What `xargs` hands to `rm` is only known when it runs.' }],
  ['a grant', { grants: { network: true } }],
  ['the items of a loop', { items: 'abc' }],
])('change %s and the fingerprint is another', (_what, change) => {
  expect(fingerprint({ ...subject, ...change })).not.toBe(fingerprint(subject));
  expect(fingerprint({ ...subject })).toBe(fingerprint(subject));
});

test('a plan is hashed whole', () => {
  const step = { id: 's1', title: 'A', action: { kind: 'run-command' as const, command: 'true' } };
  const plan: Plan = { goal: 'g', shell: 'bash', steps: [step], revision: 0 };
  expect(hashPlan(plan)).toMatch(/^[0-9a-f]{64}$/);
  expect(hashPlan({ ...plan, steps: [{ ...step, expects: 'exit 0' }] })).not.toBe(hashPlan(plan));
});

test.each([3, 16, 40])('the keys of an object with %i of them are in order', (count) => {
  const names = Array.from({ length: count }, (_, n) => `k${(n * 7) % count}`);
  const text = canonical(Object.fromEntries(names.map((name) => [name, 1])));
  expect(text).toBe(
    `{${names
      .toSorted()
      .map((name) => `"${name}":1`)
      .join(',')}}`,
  );
});

test('a text is written as JSON writes it', () => {
  for (const text of ['plain', 'a "quoted" one', 'ü', 'line\nbreak', '\ud800', '', 'back\\slash', '\u2028']) {
    expect(canonical({ [text]: text })).toBe(JSON.stringify({ [text]: text }));
  }
});
