import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentRunState } from '../../src/core/contract/tasks/index.ts';
import { quoteWord } from '../../src/core/shell/index.ts';
import { setTrust } from '../../src/doors/app/trust.ts';
import { isFullLength, lengthy } from '../support/scale.ts';
import { openShop, type Shop } from '../tasks/shop.ts';
import { type Behaviour, type Script, startAnthropic, startGoogle, type WireServer } from '../wire/index.ts';
import { fileIn } from './exchange.ts';

/*
 * Coding agents that others wrote, each with a model of ours behind it: the whole life of a feature. At a desk
 * src/mind/tasks has a program that speaks the protocol, and a stand-in for the SDK.
 */

const plan = { plan: '# Plan\n\n1. Write it.', planSummary: 'It is written.', subtasks: ['Write it'] };
const VERDICT = 'I looked at it.\n\nREVIEW_VERDICT: APPROVED';

/** What a conversation has come to: which mode it is for, and how many calls of tools have come back. */
function readSoFar(body: Record<string, unknown>, result: RegExp) {
  const said = JSON.stringify(body['messages'] ?? body['contents'] ?? []);
  const mode = said.includes('REVIEW_VERDICT')
    ? 'review'
    : said.includes('planSummary')
      ? 'plan'
      : 'implement';
  return { mode, results: said.match(result)?.length ?? 0, hasTools: Array.isArray(body['tools']) } as const;
}

async function started(start: (script: Script) => Promise<WireServer>, script: Script): Promise<WireServer> {
  const wire = await start(script);
  onTestFinished(() => wire.close());
  return wire;
}

async function livesThrough(shop: Shop): Promise<AgentRunState> {
  const id = await shop.task({ title: 'Write it' });
  const planned = await shop.move(id, 'planning');
  expect(planned.phases.at(-1)).toMatchObject({ outcome: 'plan_complete', message: null });
  expect(planned.planSummary).toBe(plan.planSummary);
  const ready = await shop.move(id, 'implementing');
  expect(ready.phases.map(({ mode, outcome, message }) => [mode, outcome, message])).toEqual([
    ['plan', 'plan_complete', null],
    ['implement', 'pr_ready', null],
    ['review', 'approved', null],
  ]);
  expect(ready.status).toBe('ready');
  expect(shop.git('show', `${ready.branch}:made.txt`)).toBe('made');
  const merged = await shop.ask(id, { type: 'merge-requested', how: 'squash' });
  expect(merged.status).toBe('merged');
  return (await shop.app.streams.state(ready.phases[1]!.run)) as AgentRunState;
}

describe.skipIf(!isFullLength)('coding agents that others wrote', () => {
  it('Claude Code, whose settings allow everything, does not get past the gate', lengthy, async () => {
    let outside = '';
    const wire = await started(startAnthropic, ({ body }): Behaviour => {
      const { mode, results, hasTools } = readSoFar(body, /"type":"tool_result"/g);
      if (!hasTools) return { text: 'Write it' };
      if (mode === 'review') return { text: VERDICT };
      if (mode === 'plan') return { calls: [{ name: 'StructuredOutput', args: plan }] };
      const steps: Behaviour[] = [
        { calls: [{ name: 'Bash', args: { command: `rm -rf ${outside}` } }] },
        { calls: [{ name: 'Bash', args: { command: 'printf "made\\n" > made.txt' } }] },
      ];
      return steps[results] ?? { calls: [{ name: 'StructuredOutput', args: { summary: 'It is written.' } }] };
    });
    const shop = await openShop(
      { agents: { default: 'claude-code', review: 'pr-reviewer' } },
      {
        ANTHROPIC_BASE_URL: wire.url,
        ANTHROPIC_API_KEY: 'sk-ant-test',
        PLANWRIGHT_CLAUDE_SDK: fileIn('@anthropic-ai/claude-agent-sdk/sdk.mjs'),
        PLANWRIGHT_ON_ASK: 'deny',
      },
    );
    outside = join(shop.home, '..', 'precious');
    mkdirSync(outside);
    mkdirSync(join(shop.home, '.claude'));
    writeFileSync(
      join(shop.home, '.claude', 'settings.json'),
      JSON.stringify({ permissions: { allow: ['Bash', 'Write', 'Edit'], defaultMode: 'bypassPermissions' } }),
    );
    // Its settings count.
    await setTrust(shop.app.places, shop.repository, true);
    const implementing = await livesThrough(shop);
    expect(existsSync(outside)).toBe(true);
    expect(implementing.calls.map(({ title, allowed }) => `${title} ${allowed}`)).toEqual([
      `Run rm -rf ${outside} false`,
      expect.stringMatching(/made\.txt true$/),
    ]);
    expect(implementing.costUsd).toBeGreaterThan(0);
  });

  it('Gemini CLI, by the Agent Client Protocol, in a sandbox and a clone', lengthy, async () => {
    const wire = await started(startGoogle, ({ body }): Behaviour => {
      const { mode, results, hasTools } = readSoFar(body, /"functionResponse"/g);
      if (!hasTools) return { text: 'Write it' };
      if (mode === 'review') return { text: VERDICT };
      if (mode === 'plan') return { text: JSON.stringify(plan) };
      if (results === 0)
        return { calls: [{ name: 'write_file', args: { file_path: 'made.txt', content: 'made\n' } }] };
      return { text: JSON.stringify({ summary: 'It is written.' }) };
    });
    const { host, origin } = new URL(wire.url);
    const command = [process.execPath, fileIn('@google/gemini-cli/bundle/gemini.js'), '--acp'];
    const shop = await openShop(
      {
        agents: { default: 'acp:gemini' },
        programs: {
          gemini: {
            command: command.map((word) => quoteWord(word)).join(' '),
            hosts: [host],
            writes: ['~/.gemini'],
            variables: ['GEMINI_API_KEY'],
          },
        },
      },
      { GEMINI_API_KEY: 'test', GOOGLE_GEMINI_BASE_URL: origin, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    );
    mkdirSync(join(shop.home, '.gemini'));
    writeFileSync(
      join(shop.home, '.gemini', 'settings.json'),
      JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
      }),
    );
    const implementing = await livesThrough(shop);
    // It asks before it writes, and leaves the writing to us.
    expect(implementing.calls.length).toBeGreaterThan(0);
    expect(implementing.calls.filter(({ allowed }) => !allowed)).toEqual([]);
  });
});
