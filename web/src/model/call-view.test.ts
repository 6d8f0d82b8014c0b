import type { CallState } from '@contract';
import { expect, test } from 'vitest';
import { callAbout, callDiffs, callResult, callStatus } from './call-view.ts';

const call = (change: Partial<CallState>): CallState => ({
  id: 't1r1c0',
  wire: 'w',
  tool: 'edit_file',
  args: {},
  status: 'wanted',
  judged: null,
  written: null,
  asked: false,
  result: null,
  text: null,
  by: null,
  started: null,
  spawned: null,
  prepared: null,
  ...change,
});
const result = (change: object) =>
  ({
    exitCode: null,
    signal: null,
    durationMs: 5,
    expectation: null,
    stdoutTail: '',
    stderrTail: '',
    outputBytes: 0,
    outputTruncated: false,
    leftover: false,
    ...change,
  }) as NonNullable<CallState['result']>;
const nobody = { approvals: [], question: null };

test('what a call changes is shown as it was asked for, whatever else its arguments hold', () => {
  const one = { path: 'a', old: 'x\ny', new: 'z' };
  expect(callDiffs(call({ args: one }))).toEqual([
    {
      path: 'a',
      lines: [
        { kind: 'del', text: 'x' },
        { kind: 'del', text: 'y' },
        { kind: 'add', text: 'z' },
      ],
    },
  ]);
  expect(callDiffs(call({ tool: 'multi_file_edit', args: { edits: [one, one, null, 7] } }))).toHaveLength(2);
  expect(callDiffs(call({ tool: 'write_file', args: { path: 'a', content: 'x\n' } }))[0]?.lines).toHaveLength(
    1,
  );
  for (const args of [null, 'text', [], { path: 7, old: 'x', new: 'y' }])
    expect(callDiffs(call({ args }))).toEqual([]);
});

test('a call is named by what it is done to', () => {
  expect(callAbout(call({ tool: 'run_command', args: { command: 'ls' } }))).toBe('ls');
  expect(callAbout(call({ tool: 'multi_file_edit', args: { edits: [{ path: 'a' }, { path: 'a' }] } }))).toBe(
    'a',
  );
  expect(callAbout(call({ tool: 'mcp__x__y', args: { n: 1 } }))).toBe('{"n":1}');
  expect(callAbout(call({ args: null }))).toBe('');
});

test('how far it has come: what nobody did is not called done', () => {
  const word = (change: Partial<CallState>, isOver = false) => callStatus(call(change), nobody, isOver).word;
  expect(word({})).toBe('to come');
  expect(word({}, true)).toBe('not done');
  expect(word({ status: 'running' })).toBe('running');
  expect(word({ status: 'done', result: result({}), by: 'driver' })).toBe('done');
  expect(word({ status: 'done', result: result({ why: 'denied' }), by: 'nobody' })).toBe('denied');
  expect(word({ status: 'done', result: result({ why: 'tool-failed' }), by: 'driver' })).toBe('failed');
  expect(word({ status: 'done', result: result({}), by: 'person' })).toBe('done by you');
  expect(word({ status: 'done', text: 'unknown', by: 'nobody' })).toBe('not known whether it was done');
});

test('what came of it: the failure first, then what was said', () => {
  const failed = result({
    why: 'exit-code',
    message: 'it failed',
    exitCode: 2,
    stdoutTail: 'out\n',
    stderrTail: 'err\n',
  });
  expect(callResult(call({ result: failed }), '/w')).toBe('it failed\nexit code 2\nout\nerr');
  const files = result({ captured: { key: 'files', value: ['/w/a', '/x'] } });
  expect(callResult(call({ result: files }), '/w')).toBe('a\n/x');
});
