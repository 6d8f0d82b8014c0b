import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { quoteWord } from '../../core/shell/index.ts';
import { startPeer } from '../../world/process/peer.ts';
import { createAcpAgent } from './agents/acp/acp.ts';
import { hear } from './agents/acp/heard.ts';
import { pacedBy } from './agents/acp/paced.ts';
import { Terminals } from './agents/acp/terminals.ts';
import { actionsOf } from './agents/acp/wanted.ts';
import { createBuiltInAgent, type TurnSaid } from './agents/built-in.ts';
import { createClaudeCodeAgent } from './agents/claude-code/claude-code.ts';
import { createReviewer } from './agents/reviewer.ts';
import { createScriptedAgent } from './agents/scripted.ts';
import type { AcpStep } from './conformance/acp-agent.ts';
import { aRun, config, describeAgent, type Scene } from './conformance/agents.ts';
import { type ClaudeStep, standInSdk } from './conformance/claude-sdk.ts';

const plan = { plan: '# Plan', planSummary: 'In short.', subtasks: ['one'] };
const review = 'It is fine.\n\nREVIEW_VERDICT: APPROVED';
const env = { PATH: process.env['PATH']!, HOME: process.env['HOME'] ?? '/' };

describeAgent('scripted', {
  mode: 'plan',
  isProcess: false,
  absent: null,
  make: (scene) =>
    createScriptedAgent('scripted', {
      plan: [
        { say: 'Looking.\n' },
        ...{
          'comes to its end': [{ finish: 'plan_complete', payload: plan }],
          hangs: [{ await: 'never' }],
          breaks: [{ fail: 'it broke' }],
          'answers in another shape': [{ finish: 'plan_complete', payload: { plan: 'Just do it.' } }],
          'says nothing': [],
        }[scene],
      ],
    }),
});

describeAgent('planwright', {
  mode: 'plan',
  isProcess: false,
  absent: () => createBuiltInAgent(conversation('says nothing', false)),
  make: (scene) => createBuiltInAgent(conversation(scene, true)),
});

function conversation(scene: Scene, hasModel: boolean) {
  const spent = { message: null, question: null, rounds: 1, costUsd: 0, tokens: 0 };
  const texts: Partial<Record<Scene, string>> = {
    'comes to its end': JSON.stringify(plan),
    'answers in another shape': 'Just do it.',
  };
  return {
    hasModel: async () => hasModel,
    begin: async () => 'chat',
    async say(
      _chat: string,
      _text: string,
      { signal, onOutput }: { signal: AbortSignal; onOutput(chunk: string): void },
    ): Promise<TurnSaid> {
      if (!hasModel) return { ...spent, outcome: 'no-model', text: '' };
      onOutput('Looking.\n');
      if (scene === 'breaks') throw new Error('it broke');
      if (scene === 'hangs') {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return { ...spent, outcome: 'stopped', text: '' };
      }
      return { ...spent, outcome: 'answered', text: texts[scene] ?? '' };
    },
  };
}

const program = join(import.meta.dirname, 'conformance/acp-agent.ts');
const acp = (command: string, isThere = true) =>
  createAcpAgent('acp:test', {
    isThere: async () => isThere,
    async start({ run, worktree }) {
      const marker = { run, step: 'agent', epoch: 1 };
      const session = { cwd: worktree, env: {} };
      const started = await startPeer({ command, baseEnv: env, session, marker, graceMs: 2000 });
      if (!started.ok) throw new Error(started.message);
      return started.peer;
    },
  });
const acpDoing = (steps: AcpStep[]) =>
  acp([process.execPath, program, JSON.stringify(steps)].map((word) => quoteWord(word)).join(' '));

describeAgent('acp', {
  mode: 'plan',
  isProcess: true,
  absent: () => acp('no-such-program', false),
  make: (scene) =>
    acpDoing(
      {
        'comes to its end': [{ say: 'Looking.\n' }, { say: JSON.stringify(plan) }],
        hangs: [{ leave: 'child.pid' }, { say: 'Looking.\n' }, { hang: true }],
        breaks: [{ say: 'Looking.\n' }, { exit: 3 }],
        'answers in another shape': [{ say: 'Just do it.' }],
        'says nothing': [],
      }[scene] as AcpStep[],
    ),
});

const claude = (steps: readonly ClaudeStep[] | null) =>
  createClaudeCodeAgent('claude-code', {
    load: async () => (steps === null ? null : standInSdk(steps)),
    env,
    isTrusted: false,
    async start(command, { cwd }) {
      const marker = { run: cwd!, step: 'agent', epoch: 1 };
      const session = { cwd: cwd!, env: {} };
      const started = await startPeer({ command, baseEnv: env, session, marker, graceMs: 2000 });
      if (!started.ok) throw new Error(started.message);
      return started.peer;
    },
  });
const claudeScenes = (answer: ClaudeStep): Record<Scene, ClaudeStep[]> => ({
  'comes to its end': [{ say: 'Looking.' }, answer],
  hangs: [{ say: 'Looking.' }, { hang: true }],
  breaks: [{ say: 'Looking.' }, { fail: 'it broke' }],
  'answers in another shape': [{ say: 'Just do it.' }, { result: 'Just do it.', structured: { plan: 1 } }],
  'says nothing': [{ result: '' }],
});

describeAgent('claude-code', {
  mode: 'plan',
  isProcess: true,
  absent: () => claude(null),
  make: (scene) => claude(claudeScenes({ result: '', structured: plan })[scene]),
});

describeAgent('pr-reviewer', {
  mode: 'review',
  isProcess: true,
  absent: () => createReviewer('pr-reviewer', [claude(null)]),
  make: (scene) =>
    createReviewer('pr-reviewer', [claude(null), claude(claudeScenes({ result: review })[scene])]),
});

it('of an agent that talks for ever the end is kept', () => {
  const heard = hear(() => {});
  const say = (text: string) =>
    heard.take({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  const piece = 'x'.repeat(1024 * 1024);
  for (let at = 0; at < 20; at++) say(piece);
  say('the end');
  expect(heard.text().length).toBeLessThan(10 * piece.length);
  expect(heard.text().endsWith('xthe end')).toBe(true);
  heard.take({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'looks' });
  expect(heard.text().endsWith('xthe end')).toBe(true);
  say('Done.');
  expect(heard.text()).toBe('Done.');
});

it('nothing more is read of an agent that takes no answers, until it does', async () => {
  const [output, input] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })];
  const reader = pacedBy(output, input).getReader();
  input.write('an answer');
  output.write('first');
  const text = ({ value }: { value?: Uint8Array | undefined }) => String(value);
  expect(text(await reader.read())).toBe('first');
  output.write('second');
  let isRead = false;
  const second = reader.read().then((read) => {
    isRead = true;
    return text(read);
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect([isRead, output.readableLength]).toEqual([false, 'second'.length]);
  input.resume();
  expect(await second).toBe('second');
});

it('an agent has only so many terminals at once', async () => {
  const waiting = Promise.withResolvers<never>();
  const terminals = new Terminals({ perform: () => waiting.promise } as never);
  const create = () => terminals.create({ sessionId: 's', command: 'sleep 1' });
  for (let at = 0; at < 50; at++) create();
  expect(create).toThrow('too many terminals');
});

it('pr-reviewer reviews and does nothing else, and its numbered comments are what is to be changed', async () => {
  const said = 'Nearly.\n\nREVIEW_VERDICT: CHANGES_REQUESTED\n1. Say why\n2. Test the empty case';
  const agent = createReviewer('pr-reviewer', [claude([{ result: said }])]);
  expect(await agent.execute(aRun('implement').context, config)).toMatchObject({ why: 'unavailable' });
  expect(await agent.execute(aRun('review').context, config)).toMatchObject({
    outcome: 'changes_requested',
    payload: { summary: 'Nearly.', comments: ['Say why', 'Test the empty case'] },
    costUsd: 0.02,
    tokens: 120,
  });
});

it('every call of Claude Code comes to the gate, and a gate that breaks is shut', async () => {
  const done: string[] = [];
  const asked: string[] = [];
  const sdk = standInSdk([
    { tool: 'Bash', input: { command: 'rm -rf /elsewhere' }, does: () => done.push('rm') },
    { tool: 'Bash', input: { command: 'ls' }, does: () => done.push('ls') },
    { tool: 'Edit', input: { file_path: 'a', old_string: 'x', new_string: 'y' } },
    { tool: 'mcp__shop__buy', input: {} },
    { tool: 'TodoWrite', input: {} },
    { tool: 'Read', input: { file_path: 'broken' } },
    { result: '', structured: { summary: 'Done.' } },
  ]);
  const agent = createClaudeCodeAgent('claude-code', {
    load: async () => sdk,
    env,
    isTrusted: false,
    start: async () => {
      throw new Error('not here');
    },
  });
  const { context } = aRun('implement', {
    async allowed(action) {
      asked.push(action.kind);
      if (action.kind === 'read-file') throw new Error('the judge broke');
      const isRm = action.kind === 'run-command' && action.command.startsWith('rm');
      return isRm ? { ok: false, message: 'no' } : { ok: true };
    },
  });
  await agent.execute(context, config);
  expect(sdk.decisions).toEqual([
    'Bash deny',
    'Bash allow',
    'Edit allow',
    'mcp__shop__buy allow',
    'TodoWrite allow',
    'Read deny',
  ]);
  expect(done).toEqual(['ls']);
  expect(asked).toEqual(['run-command', 'run-command', 'edit-file', 'call-tool', 'read-file']);
});

it.each([
  [{ kind: 'execute', rawInput: { command: ['bash', '-lc', 'rm -rf x'] } }, ['run-command rm -rf x']],
  [{ kind: 'execute', rawInput: { command: ['rm', 'a b'] } }, ["run-command rm 'a b'"]],
  [{ kind: 'execute', title: 'rm -rf x' }, ['call-tool agent:execute']],
  [{ kind: 'edit', content: [{ type: 'diff', path: '/w/a', newText: 'new' }] }, ['write-file /w/a']],
  [{ kind: 'edit', locations: [{ path: '/w/a' }] }, ['write-file /w/a']],
  [
    { kind: 'delete', locations: [{ path: '/w/a' }, { path: '/w/b' }] },
    ['delete-path /w/a', 'delete-path /w/b'],
  ],
  [{ kind: 'fetch', rawInput: { url: 'https://a.b/?c&d' } }, ["run-command curl -fsSL 'https://a.b/?c&d'"]],
  [{ kind: 'other', title: 'buys' }, ['call-tool agent:other']],
  [{ kind: 'think' }, []],
  [{ kind: 'think', rawInput: { command: 'rm x' } }, ['call-tool agent:think']],
  [{ kind: 'read', rawInput: { path: '/w/a', command: 'rm x' } }, ['run-command rm x', 'read-file /w/a']],
  [{ kind: 'execute', rawInput: { command: 'ls', cmd: 'rm x' } }, ['run-command ls', 'run-command rm x']],
  [{ kind: 'execute', rawInput: { command: 'rm x', cwd: '/a b' } }, ["run-command cd '/a b' && rm x"]],
  [
    {
      ...{ kind: 'edit', rawInput: { file_path: '/etc/x' } },
      content: [{ type: 'diff', path: '/w/a', newText: 'new' }],
    },
    ['write-file /w/a', 'write-file /etc/x'],
  ],
] as const)('what is asked for, %j, comes to %j', (call, expected) => {
  const actions = actionsOf({ toolCallId: '1', ...call } as never);
  const told = actions.map((action) => {
    const [what] = [
      ('command' in action && action.command) ||
        ('path' in action && action.path) ||
        ('tool' in action && action.tool),
    ];
    return `${action.kind} ${what}`;
  });
  expect(told).toEqual(expected);
});
