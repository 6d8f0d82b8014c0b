import fc from 'fast-check';
import type { Plan, SimpleAction, Step, WrittenAction } from '../../src/core/contract/index.ts';

/** Random actions and plans for the room's property tests. */

const awkward = fc.constantFrom(
  'KEEP it',
  'KEEP',
  ' lead',
  'trail ',
  '"quoted"',
  '"a" "b"',
  'a\nb',
  'a\r\n',
  '\\',
  '{item}',
  '#x',
  'AS',
  'DO',
  '\u2028',
  'é\u0000',
);
const text = fc.oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.string({ minLength: 1 }), awkward);
const anyText = fc.oneof(fc.constant(''), text);
export const key = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/);
const serviceName = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,8}$/);
// Minus zero is not a JSON value: it prints as 0.
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

const kind = <K extends SimpleAction['kind'], T>(name: K, fields: { [P in keyof T]: fc.Arbitrary<T[P]> }) =>
  fc.record({ kind: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<SimpleAction>;

export const simpleAction: fc.Arbitrary<SimpleAction> = fc.oneof(
  kind('run-command', { command: text }),
  kind('run-script', { script: text }),
  kind('start', { name: serviceName, command: text, keep: fc.boolean() }),
  kind('stop', { name: serviceName }),
  kind('write-file', { path: text, content: anyText }),
  kind('append-file', { path: text, content: anyText }),
  kind('edit-file', { path: text, old: text, new: anyText }),
  kind('create-dir', { path: text }),
  kind('copy-path', { from: text, to: text }),
  kind('move-path', { from: text, to: text }),
  kind('delete-path', { path: text }),
  kind('list-files', { pattern: text, as: key }),
  kind('read-file', { path: text, as: key }),
  kind('call-tool', { tool: text, args: fc.dictionary(fc.string(), json) }),
  kind('ask', { question: text, as: key }),
  kind('manual', { text }),
);

export const action: fc.Arbitrary<WrittenAction> = fc.oneof(
  { weight: 4, arbitrary: simpleAction },
  fc.record({ kind: fc.constant('for-each' as const), list: key, do: simpleAction }),
  fc.record({
    kind: fc.constant('repeat' as const),
    times: fc.integer({ min: 1, max: 10_000 }),
    do: simpleAction,
  }),
);

const sentence = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 30 }),
    fc.constantFrom(
      'Install: all',
      '3',
      'true',
      '# hash',
      '- dash',
      "it's",
      'a\nb',
      '{x}',
      '[1]',
      '* star',
      'a #b',
      '~',
    ),
  )
  .map((value) => value.trim())
  .filter((value) => value !== '');

/** Plans whose ids are s1, s2 … with `after` pointing backwards. */
export const plan: fc.Arbitrary<Plan> = fc
  .record(
    {
      goal: sentence,
      mode: fc.constantFrom('teacher' as const, 'planner' as const, 'agentic' as const),
      shell: fc.constantFrom('bash' as const, 'pwsh' as const),
      inputs: fc
        .uniqueArray(key, { maxLength: 3 })
        .map((names) => names.map((name) => ({ name, default: 'x' }))),
      steps: fc.array(
        fc.record(
          {
            title: sentence,
            action,
            expects: sentence,
            undo: action,
            why: sentence,
            interactive: fc.boolean(),
            timeoutMs: fc.integer({ min: 1, max: 9_000_000 }),
            cwd: fc.constantFrom('sub', '/srv'),
            env: fc.dictionary(key, sentence, { minKeys: 1, maxKeys: 3 }),
            retry: fc.record(
              { times: fc.integer({ min: 1, max: 10 }), delayMs: fc.integer({ min: 1, max: 3_600_000 }) },
              { requiredKeys: ['times'] },
            ),
            back: fc.nat({ max: 5 }),
          },
          { requiredKeys: ['title', 'action', 'back'] },
        ),
        { minLength: 1, maxLength: 8 },
      ),
    },
    { requiredKeys: ['goal', 'shell', 'steps'] },
  )
  .map(({ steps, ...rest }) => ({
    ...rest,
    revision: 0,
    steps: steps.map(({ back, ...step }, index): Step => {
      const after = back > 0 && back <= index ? [`s${index + 1 - back}`] : undefined;
      return { id: `s${index + 1}`, ...step, ...(after !== undefined && { after }) };
    }),
  }));
