import { expect, test } from 'vitest';
import { type GuardedAgent, guardedAgents, rangesOfGuard } from '../contract/guard/index.ts';
import { answerTo, type Fields, hookFormats, reasonFor } from './index.ts';
import { patchActions } from './patch.ts';

const claude = (tool_name: string, tool_input: unknown, more: object = {}): Fields => ({
  ...{ session_id: 's', cwd: '/w', hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id: 't' },
  ...more,
});

/** As each agent's documentation has it, November 2026; `docs/guard.md` names the pages. */
const said: [agent: GuardedAgent, input: Fields, actions: unknown][] = [
  ['claude-code', claude('Bash', { command: 'ls' }), [{ kind: 'run-command', command: 'ls' }]],
  ['claude-code', claude('Bash', { command: 'a\nb' }), [{ kind: 'run-script', script: 'a\nb' }]],
  [
    'claude-code',
    claude('Write', { file_path: '/w/a', content: 'x' }),
    [{ kind: 'write-file', path: '/w/a', content: 'x' }],
  ],
  [
    'claude-code',
    claude('Edit', { file_path: '/w/a', old_string: 'x', new_string: 'y' }),
    [{ kind: 'edit-file', path: '/w/a', old: 'x', new: 'y' }],
  ],
  [
    'claude-code',
    claude('Monitor', { command: 'tail -f x' }),
    [{ kind: 'run-command', command: 'tail -f x' }],
  ],
  ['codex', claude('write_stdin', { chars: 'rm x' }), [{ kind: 'run-command', command: 'rm x' }]],
  [
    'copilot',
    { sessionId: 's', cwd: '/w', toolName: 'str_replace_editor', toolArgs: { command: 'create', path: 'a' } },
    [{ kind: 'write-file', path: 'a', content: '' }],
  ],
  ['claude-code', claude('Grep', { pattern: '.', path: 'k' }), [{ kind: 'read-file', path: 'k', as: 'it' }]],
  [
    'codex',
    claude('Bash', { command: ['apply_patch', '*** Begin Patch\n*** Delete File: a\n*** End Patch'] }),
    [{ kind: 'run-script' }, { kind: 'delete-path', path: 'a' }],
  ],
  [
    'codex',
    claude('Bash', {
      command: "cd 'x y' && apply_patch <<'E'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nE",
    }),
    [{ kind: 'run-script' }, { kind: 'delete-path', path: 'x y/a' }],
  ],
  ['claude-code', claude('WebSearch', { query: 'x' }), null],
  ['claude-code', claude('mcp__a__b', {}), null],
  ['codex', claude('Bash', { command: 'ls' }), [{ kind: 'run-command', command: 'ls' }]],
  [
    'codex',
    claude('Bash', { command: ['bash', '-lc', 'ls | wc'] }),
    [{ kind: 'run-command', command: 'ls | wc' }],
  ],
  [
    'codex',
    claude('apply_patch', { command: '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch' }),
    [{ kind: 'write-file', path: 'a', content: 'x' }],
  ],
  [
    'gemini',
    claude('run_shell_command', { command: 'ls', dir_path: 'sub' }, { hook_event_name: 'BeforeTool' }),
    [{ kind: 'run-command', command: 'ls' }],
  ],
  [
    'gemini',
    claude('replace', { file_path: 'a', old_string: '', new_string: 'y' }, { hook_event_name: 'BeforeTool' }),
    [{ kind: 'write-file', path: 'a', content: 'y' }],
  ],
  [
    'cursor',
    {
      conversation_id: 'c',
      hook_event_name: 'beforeShellExecution',
      command: 'ls',
      cwd: '/w',
      workspace_roots: ['/w'],
    },
    [{ kind: 'run-command', command: 'ls' }],
  ],
  [
    'cursor',
    {
      conversation_id: 'c',
      hook_event_name: 'preToolUse',
      tool_name: 'Delete',
      tool_input: { path: 'a' },
      workspace_roots: ['/w'],
    },
    [{ kind: 'delete-path', path: 'a' }],
  ],
  [
    'copilot',
    { sessionId: 's', cwd: '/w', toolName: 'bash', toolArgs: '{"command":"ls"}' },
    [{ kind: 'run-command', command: 'ls' }],
  ],
  ['opencode', claude('bash', { command: 'ls' }), [{ kind: 'run-command', command: 'ls' }]],
  [
    'opencode',
    claude('edit', { filePath: 'a', oldString: 'x', newString: 'y' }),
    [{ kind: 'edit-file', path: 'a', old: 'x', new: 'y' }],
  ],
];

test.each(said)('%s: what a call would do is read, %j', (agent, input, actions) => {
  expect(hookFormats[agent].read(input, {})).toMatchObject({ when: 'before', actions });
});

test.each(guardedAgents.map((agent) => [agent]))('%s: what it does not write is not read', (agent) => {
  for (const input of [
    {},
    { session_id: 1, cwd: 2 },
    claude('Bash', {}, { cwd: undefined }),
    { cwd: '/w', toolName: 'bash' },
  ])
    expect(hookFormats[agent].read(input, {}), JSON.stringify(input)).toHaveProperty('problem');
});

test('a call of a known tool that says nothing is not read, and an unknown tool is no problem', () => {
  const { read } = hookFormats['claude-code'];
  for (const input of [null, [], {}, { command: '' }, { command: 3 }])
    expect(read(claude('Bash', input), {}), JSON.stringify(input)).toHaveProperty('problem');
  expect(read(claude('Whatever', null), {})).toMatchObject({ actions: null });
});

test('whoever says two things of one kind is judged by both', () => {
  const read = (tool: string, given: object) =>
    hookFormats['claude-code'].read(claude(tool, given), {}) as unknown as { actions: { kind: string }[] };
  expect(read('exec_command', { command: 'ls', cmd: 'rm x' }).actions).toEqual([
    { kind: 'run-command', command: 'ls' },
    { kind: 'run-command', command: 'rm x' },
  ]);
  const edit = { file_path: 'a', old_string: 'x', new_string: 'y' };
  const one = { kind: 'edit-file', path: 'a', old: 'x', new: 'y' };
  expect(read('Edit', { ...edit, edits: [] }).actions).toEqual([one]);
  expect(read('MultiEdit', { file_path: 'a', edits: ['x'] }).actions).toEqual([
    { kind: 'write-file', path: 'a', content: '' },
  ]);
  expect(
    read('MultiEdit', { file_path: 'a', edits: [{ ...edit, file_path: 'b' }] }).actions.map(
      (action) => 'path' in action && action.path,
    ),
  ).toEqual(['a', 'b']);
  expect(read('Write', { file_path: 'a', path: 'b', content: 'x' }).actions).toHaveLength(2);
  const reads = read('Read', { file_path: 'a', paths: ['b', 3] }).actions;
  expect(reads.map((action) => 'path' in action && action.path)).toEqual(['a', 'b', 'a/b']);
});

test('where a shell is told to start is taken of the agents that have that, and of no tool but a shell', () => {
  const at = (agent: GuardedAgent, tool: string, given: object) => {
    const call = hookFormats[agent].read(claude(tool, given), {});
    return 'cwd' in call ? [call.cwd, call.base] : call.problem;
  };
  expect(at('opencode', 'bash', { command: 'ls', workdir: '/x' })).toEqual(['/x', '/w']);
  expect(at('gemini', 'run_shell_command', { command: 'ls', dir_path: 'x' })).toEqual(['/w/x', '/w']);
  expect(at('gemini', 'write_file', { file_path: 'a', content: '', dir_path: '/x' })).toEqual(['/w', '/w']);
  expect(at('claude-code', 'Bash', { command: 'ls', workdir: '/x' })).toEqual(['/w', '/w']);
  expect(at('gemini', 'run_shell_command', { command: 'ls', dir_path: '/x', directory: '/y' })).toBe(
    'it names two folders',
  );
});

test('an event that is not known is no way past: with a tool it is judged, without a name it is not read', () => {
  for (const agent of ['claude-code', 'codex', 'gemini', 'opencode'] as const) {
    const { read } = hookFormats[agent];
    expect(read(claude('Bash', { command: 'x' }, { hook_event_name: 'New' }), {})).toMatchObject({
      when: 'before',
      actions: [{ kind: 'run-command' }],
    });
    expect(read(claude('Bash', { command: 'x' }, { hook_event_name: '' }), {})).toHaveProperty('problem');
  }
});

test('each agent is answered in its own words, and is never made to allow', () => {
  const deny = Object.fromEntries(
    guardedAgents.map((agent) => [agent, JSON.parse(hookFormats[agent].reply('deny', 'why', null).stdout)]),
  );
  const pre = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'why',
    },
  };
  expect(deny).toEqual({
    'claude-code': pre,
    codex: pre,
    gemini: { decision: 'deny', reason: 'why' },
    cursor: { permission: 'deny', user_message: 'why', agent_message: 'why' },
    copilot: { permissionDecision: 'deny', permissionDecisionReason: 'why' },
    opencode: { decision: 'deny', reason: 'why' },
  });
  for (const agent of guardedAgents) {
    expect(hookFormats[agent].reply('none', '', null)).toEqual({ stdout: '{}\n', exitCode: 0 });
    // Where it cannot ask, a question must not become a yes.
    const asked = hookFormats[agent].reply('ask', 'why', null).stdout;
    expect(asked).toMatch(['codex', 'gemini', 'opencode'].includes(agent) ? /"deny"/ : /"(?:ask|deny)"/);
    expect(asked).not.toMatch(/allow/);
  }
});

test('where nobody would be asked, dangerous is denied', () => {
  const canAsk = (input: Fields) => {
    const read = hookFormats['claude-code'].read(input, {});
    return 'canAsk' in read && read.canAsk;
  };
  expect(canAsk(claude('Bash', { command: 'x' }, { permission_mode: 'default' }))).toBe(true);
  expect(canAsk(claude('Bash', { command: 'x' }, { permission_mode: 'bypassPermissions' }))).toBe(false);
  expect([answerTo('dangerous', true), answerTo('dangerous', false)]).toEqual(['ask', 'deny']);
  expect([answerTo('safe', false), answerTo('caution', false), answerTo('blocked', true)]).toEqual([
    'none',
    'none',
    'deny',
  ]);
});

test('a denial says what can be done: allowed by its name where a person may, else not', () => {
  const verdict = { level: 'dangerous', reasons: [], reversible: false, needs: [], paths: [] } as const;
  expect(reasonFor('deny', { ...verdict, reasons: [], needs: [], paths: [] }, 'ab12')).toContain(
    'planwright guard allow ab12',
  );
  expect(
    reasonFor('deny', { ...verdict, level: 'blocked', reasons: [], needs: [], paths: [] }, 'ab12'),
  ).not.toContain('ab12');
});

test('a patch is all that it does', () => {
  const text = [
    '*** Begin Patch',
    '*** Update File: a.ts',
    '*** Move to: b.ts',
    '@@',
    '-old',
    '+new',
    '*** Delete File: ../c',
    '*** Update File: d',
    '@@',
    ' x',
    '+more',
    '*** End Patch',
  ].join('\r\n');
  expect(patchActions(text)).toEqual([
    { kind: 'edit-file', path: 'a.ts', old: 'old', new: 'new' },
    { kind: 'move-path', from: 'a.ts', to: 'b.ts' },
    { kind: 'delete-path', path: '../c' },
    { kind: 'append-file', path: 'd', content: 'more' },
  ]);
  expect(patchActions('rm -rf /')).toBeNull();
  const indented = ['*** Begin Patch', '*** Add File: a', '+x', '  *** Delete File: b', '*** End Patch'];
  expect(patchActions(indented.join('\n'))?.map(({ kind }) => kind)).toEqual(['write-file', 'delete-path']);
  // A line of the file itself.
  const own = ['*** Begin Patch', '*** Update File: a', ' *** Delete File: b', '+x', '*** End Patch'];
  expect(patchActions(own.join('\n'))).toHaveLength(1);
});

test('what people do between calls is not the agent’s, and a call whose end nobody saw is not sure', () => {
  const mark = (call: string, when: 'before' | 'after', checkpoint: string) => ({ call, when, checkpoint });
  const marks = [
    mark('a', 'before', '1'),
    mark('a', 'after', '2'),
    mark('a', 'before', '3'),
    mark('a', 'after', '4'),
  ];
  expect(rangesOfGuard(marks, '5')).toEqual([
    { before: '1', after: '2' },
    { before: '3', after: '4' },
  ]);
  expect(
    rangesOfGuard([mark('a', 'before', '1'), mark('b', 'before', '2'), mark('b', 'after', '3')], '4'),
  ).toEqual([
    { before: '1', after: '2', unsure: true },
    { before: '2', after: '3' },
  ]);
  // Two at once: from the first that begins to the last that ends.
  const both = [
    mark('a', 'before', '1'),
    mark('b', 'before', '1'),
    mark('a', 'after', '2'),
    mark('b', 'after', '3'),
  ];
  expect(rangesOfGuard(both, '4')).toEqual([
    { before: '1', after: '2' },
    { before: '2', after: '3' },
  ]);
  expect(rangesOfGuard([mark('a', 'before', '1')], '2')).toEqual([{ before: '1', after: '2', unsure: true }]);
});
