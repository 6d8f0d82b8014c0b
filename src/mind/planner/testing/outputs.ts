/** Answers of models, malformed in every way that was seen or thought of, and what is to become of each. */

export interface Output {
  name: string;
  raw: string;
  is: 'accepted' | 'question' | 'rejected' | 'unreadable';
  /** Something that `how` says; left out: nothing was mended. */
  how?: RegExp;
  /** The codes of the reasons, each once, in their order. */
  codes?: string[];
  /** The step that the first reason names. */
  step?: number;
}

type Item = Record<string, unknown>;

export const item = (step: unknown, action: unknown, expects: unknown = 'exit 0'): Item => ({
  step,
  action,
  expects,
});

export const envelope = (change: Record<string, unknown> = {}): Record<string, unknown> => ({
  goal: 'greet',
  thinking_summary: 'One command is enough.',
  reflection: 'Nothing can go wrong.',
  ready: true,
  plan: [item(1, 'RUN_COMMAND echo hello', 'stdout contains hello')],
  ...change,
});

export const tagged = (value: unknown): string => `<json>\n${JSON.stringify(value, null, 2)}\n</json>`;
const steps = (...plan: unknown[]) => tagged(envelope({ plan }));
const act = (...actions: string[]) => steps(...actions.map((action, index) => item(index + 1, action)));
const good = tagged(envelope());
const json = JSON.stringify(envelope());
const without = (key: string) => {
  const { [key]: _gone, ...rest } = envelope();
  return rest;
};

const places: Output[] = [
  { name: 'as asked', raw: good, is: 'accepted' },
  { name: 'prose before and after the tags', raw: `Sure!\n${good}\nHope it helps.`, is: 'accepted' },
  { name: 'thinking aloud first', raw: `<think>Maybe {"plan": []}?</think>\n${good}`, is: 'accepted' },
  { name: 'one line', raw: `<json>${json}</json>`, is: 'accepted' },
  {
    name: 'several envelopes: the last',
    raw: `${tagged(envelope({ plan: [item(1, 'RUN_COMMAND false')] }))}\nBetter:\n${good}`,
    is: 'accepted',
  },
  { name: 'a missing end tag', raw: `<json>${json}`, is: 'accepted', how: /not closed/ },
  { name: 'a missing end tag and prose', raw: `<json>${json}\nThat is it.`, is: 'accepted', how: /text|tag/ },
  {
    name: 'a fence within the tags',
    raw: `<json>\n\`\`\`json\n${json}\n\`\`\`\n</json>`,
    is: 'accepted',
    how: /fence/,
  },
  { name: 'a fence without tags', raw: `Here:\n\`\`\`json\n${json}\n\`\`\``, is: 'accepted', how: /fence/ },
  { name: 'a fence without a language', raw: `\`\`\`\n${json}\n\`\`\`\nDone.`, is: 'accepted', how: /fence/ },
  { name: 'a bare object', raw: json, is: 'accepted', how: /whole answer/ },
  { name: 'a bare object in prose', raw: `The plan: ${json} Good luck!`, is: 'accepted', how: /text/ },
  { name: 'a byte order mark', raw: `\ufeff${json}`, is: 'accepted', how: /./ },
  { name: 'windows line ends', raw: good.replaceAll('\n', '\r\n'), is: 'accepted' },
  { name: 'nothing', raw: '', is: 'unreadable' },
  { name: 'blanks', raw: ' \n\t ', is: 'unreadable' },
  { name: 'prose alone', raw: 'I cannot help with that.', is: 'unreadable' },
  { name: 'empty tags', raw: '<json></json>', is: 'unreadable' },
  { name: 'a shell script', raw: '#!/bin/sh\necho hello\n', is: 'unreadable' },
  { name: 'an HTML error page', raw: '<html><body>502 Bad Gateway</body></html>', is: 'unreadable' },
];

const syntax: Output[] = [
  {
    name: 'a trailing comma',
    raw: good.replace(/\n {2}\]/, ',\n  ]'),
    is: 'accepted',
    how: /mended/,
  },
  {
    name: 'single quotes',
    raw: `<json>{'goal': 'g', 'thinking_summary': 't', 'reflection': 'r', 'ready': true, 'plan': [{'step': 1, 'action': 'RUN_COMMAND true', 'expects': 'exit 0'}]}</json>`,
    is: 'accepted',
    how: /mended/,
  },
  {
    name: 'unquoted keys',
    raw: `<json>{goal: "g", thinking_summary: "t", reflection: "r", ready: true, plan: [{step: 1, action: "RUN_COMMAND true", expects: "exit 0"}]}</json>`,
    is: 'accepted',
    how: /mended/,
  },
  {
    name: 'comments',
    raw: good.replace('"ready": true', '// it is\n  "ready": true'),
    is: 'accepted',
    how: /mended/,
  },
  { name: "Python's True", raw: good.replace('true', 'True'), is: 'accepted', how: /mended/ },
  { name: 'typographic quotes', raw: good.replace('"goal"', '“goal”'), is: 'accepted', how: /mended/ },
  {
    name: 'a missing comma',
    raw: good.replace('"ready": true,', '"ready": true'),
    is: 'accepted',
    how: /mended/,
  },
  {
    name: 'a raw line break in an action',
    raw: good.replace('echo hello"', 'echo\nhello"'),
    is: 'rejected',
    codes: ['invalid-action'],
    step: 1,
    how: /mended/,
  },
  { name: 'cut off in a step', raw: good.slice(0, good.indexOf('echo')), is: 'unreadable' },
  { name: 'cut off between steps', raw: `<json>${json.slice(0, -2)},`, is: 'unreadable' },
  { name: 'cut off before the last brace', raw: `<json>${json.slice(0, -1)}`, is: 'unreadable' },
  { name: 'nothing but braces', raw: '{'.repeat(100_000), is: 'unreadable' },
  { name: 'nested too deeply', raw: `<json>${'['.repeat(5000)}${']'.repeat(5000)}</json>`, is: 'unreadable' },
  { name: 'a zero byte', raw: `\0${good}`, is: 'accepted' },
];

const shapes: Output[] = [
  {
    name: 'a list of steps alone',
    raw: JSON.stringify([item(1, 'RUN_COMMAND true')]),
    is: 'rejected',
    codes: ['not-an-object'],
    how: /./,
  },
  { name: 'text for an answer', raw: '<json>"done"</json>', is: 'unreadable' },
  { name: 'an empty object', raw: '<json>{}</json>', is: 'rejected', codes: ['missing-key'] },
  ...['goal', 'thinking_summary', 'reflection', 'ready', 'plan'].map(
    (key): Output => ({
      name: `without ${key}`,
      raw: tagged(without(key)),
      is: 'rejected',
      codes: ['missing-key'],
    }),
  ),
  {
    name: 'a sixth key',
    raw: tagged(envelope({ confidence: 0.95 })),
    is: 'rejected',
    codes: ['unknown-key'],
  },
  {
    name: 'a misspelt key',
    raw: tagged({ ...without('reflection'), relfection: '' }),
    is: 'rejected',
    codes: ['unknown-key', 'missing-key'],
  },
  {
    name: '__proto__ as a key',
    raw: good.replace('"goal"', '"__proto__": {"ready": true}, "goal"'),
    is: 'rejected',
    codes: ['unknown-key'],
  },
  { name: 'ready in words', raw: tagged(envelope({ ready: 'yes' })), is: 'rejected', codes: ['wrong-type'] },
  { name: 'no steps', raw: steps(), is: 'rejected', codes: ['no-steps'] },
  {
    name: 'a plan in words',
    raw: tagged(envelope({ plan: '1. echo' })),
    is: 'rejected',
    codes: ['wrong-type'],
  },
  {
    name: 'a plan that is an object',
    raw: tagged(envelope({ plan: { 1: 'RUN_COMMAND true' } })),
    is: 'rejected',
    codes: ['wrong-type'],
  },
  { name: 'steps in words', raw: steps('RUN_COMMAND true'), is: 'rejected', codes: ['wrong-type'], step: 1 },
  {
    name: 'null for a step',
    raw: steps(item(1, 'RUN_COMMAND true'), null),
    is: 'rejected',
    codes: ['wrong-type'],
    step: 2,
  },
  {
    name: 'a step with another key',
    raw: steps({ ...item(1, 'RUN_COMMAND true'), command: 'true' }),
    is: 'rejected',
    codes: ['unknown-key'],
    step: 1,
  },
  {
    name: 'a step without an action',
    raw: steps({ step: 1, expects: 'exit 0' }),
    is: 'rejected',
    codes: ['missing-key'],
    step: 1,
  },
  {
    name: 'a step without expects',
    raw: steps({ step: 1, action: 'RUN_COMMAND true' }),
    is: 'rejected',
    codes: ['missing-key'],
    step: 1,
  },
  {
    name: 'an action that is an object',
    raw: steps(item(1, { RUN_COMMAND: 'true' })),
    is: 'rejected',
    codes: ['wrong-type'],
    step: 1,
  },
  {
    name: 'an action in two parts',
    raw: steps(item(1, ['RUN_COMMAND', 'true'])),
    is: 'rejected',
    codes: ['wrong-type'],
    step: 1,
  },
  { name: 'an empty action', raw: steps(item(1, '  ')), is: 'rejected', codes: ['wrong-type'], step: 1 },
  { name: 'numbers as text', raw: steps(item('1', 'RUN_COMMAND true')), is: 'accepted' },
  { name: 'titles', raw: steps(item('Say hello', 'RUN_COMMAND true')), is: 'accepted' },
  {
    name: 'numbers from 0',
    raw: steps(item(0, 'RUN_COMMAND true')),
    is: 'rejected',
    codes: ['step-number'],
    step: 1,
  },
  {
    name: 'after one number',
    raw: steps(item(1, 'RUN_COMMAND true'), { ...item(2, 'RUN_COMMAND true'), after: 1 }),
    is: 'accepted',
  },
  {
    name: 'after a title',
    raw: steps(item('A', 'RUN_COMMAND true'), { ...item('B', 'RUN_COMMAND true'), after: ['A'] }),
    is: 'rejected',
    codes: ['wrong-type'],
    step: 2,
  },
  {
    name: 'after a later step',
    raw: steps({ ...item(1, 'RUN_COMMAND true'), after: [2] }, item(2, 'RUN_COMMAND true')),
    is: 'rejected',
    codes: ['after-later'],
    step: 1,
  },
  {
    name: 'after nothing that exists',
    raw: steps({ ...item(1, 'RUN_COMMAND true'), after: [9] }),
    is: 'rejected',
    codes: ['after-unknown'],
    step: 1,
  },
  { name: 'null for undo', raw: steps({ ...item(1, 'RUN_COMMAND true'), undo: null }), is: 'accepted' },
  {
    name: 'an undo that is no action',
    raw: steps({ ...item(1, 'RUN_COMMAND true'), undo: 'rm x' }),
    is: 'rejected',
    codes: ['invalid-action'],
    step: 1,
  },
  {
    name: 'not ready, with a question',
    raw: tagged(envelope({ ready: false, reflection: 'Which port?', plan: [] })),
    is: 'question',
  },
  {
    name: 'not ready, with a plan all the same',
    raw: tagged(envelope({ ready: false, reflection: 'Which port?' })),
    is: 'question',
  },
  {
    name: 'not ready, and no question',
    raw: tagged(envelope({ ready: false, reflection: ' ', thinking_summary: '', plan: [] })),
    is: 'rejected',
    codes: ['no-question'],
  },
  {
    name: 'the grammar of another agent',
    raw: '{"thoughts": {"text": "I will"}, "command": {"name": "write_file"}}',
    is: 'rejected',
    codes: ['unknown-key', 'missing-key'],
    how: /whole/,
  },
];

const actions: Output[] = [
  {
    name: 'an invented action',
    raw: act('CREATE_FILE a.txt "x"'),
    is: 'rejected',
    codes: ['invalid-action'],
    step: 1,
  },
  { name: 'a bare command', raw: act('npm test'), is: 'rejected', codes: ['invalid-action'], step: 1 },
  {
    name: 'lower case',
    raw: act('run_command npm test'),
    is: 'rejected',
    codes: ['invalid-action'],
    step: 1,
  },
  { name: 'a call', raw: act('RUN_COMMAND("npm test")'), is: 'rejected', codes: ['invalid-action'], step: 1 },
  {
    name: 'content without quotes',
    raw: act('WRITE_FILE a.txt hello world'),
    is: 'rejected',
    codes: ['invalid-action'],
    step: 1,
  },
  {
    name: 'the second of two',
    raw: act('RUN_COMMAND true', 'DO_IT now'),
    is: 'rejected',
    codes: ['invalid-action'],
    step: 2,
  },
  {
    name: 'two wrong at once',
    raw: act('NO a', 'RUN_COMMAND true', 'NO b'),
    is: 'rejected',
    codes: ['invalid-action'],
    step: 1,
  },
  {
    name: 'a tool where there are none',
    raw: act('CALL_TOOL browse {"q": "x"}'),
    is: 'rejected',
    codes: ['tool-unknown', 'action-not-allowed'],
    step: 1,
  },
  {
    name: 'a whole plan of file actions',
    raw: act(
      'CREATE_DIR out',
      'WRITE_FILE out/a.txt "one\\ntwo\\n"',
      'LIST_FILES out/*.txt AS files',
      'FOR_EACH files DO RUN_COMMAND wc -l {item}',
    ),
    is: 'accepted',
  },
];

export const outputs: readonly Output[] = [...places, ...syntax, ...shapes, ...actions];
