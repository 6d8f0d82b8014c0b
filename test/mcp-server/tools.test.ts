import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../src/doors/mcp/tools/index.ts';
import { call, openStage, planOf, type Seen, type Stage, secret, ways } from './stage.ts';

test('the table of the document says of each tool what it says of itself', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| `[a-z_]+` \|/.test(line));
  const said = (holds: boolean) => (holds ? 'yes' : 'no');
  expect(
    rows
      .map((row) => row.split('|').map((cell) => cell.trim()))
      .map((cells) => [cells[1], ...cells.slice(3, 7)]),
  ).toEqual(
    tools.map(({ name, hints }) => [
      `\`${name}\``,
      said(hints.readOnlyHint),
      said(hints.destructiveHint),
      said(hints.idempotentHint),
      said(hints.openWorldHint),
    ]),
  );
});

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

describe.each(ways)('%s', (way) => {
  let client: Client;
  beforeAll(async () => {
    client = await stage.connect(way);
  });

  test('every tool says what it takes and answers, and whether it only looks', async () => {
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const { name, annotations, inputSchema, outputSchema } of listed) {
      expect(annotations, name).toEqual(tools.find((tool) => tool.name === name)!.hints);
      expect(inputSchema.type, name).toBe('object');
      expect(outputSchema?.['type'], name).toBe('object');
    }
    const { prompts } = await client.listPrompts();
    expect(prompts.every(({ arguments: given }) => given?.length === 1)).toBe(true);
  });

  test('what a tool answers is text too, for clients that hand nothing else on to their model', async () => {
    const answer = await client.callTool({ name: 'judge_command', arguments: { command: 'ls' } });
    const [text] = answer.content as { type: string; text: string }[];
    expect(text?.type).toBe('text');
    expect(JSON.parse(text!.text)).toEqual(answer.structuredContent);
  });

  test('a command is judged with reasons, where it would run', async () => {
    expect(await call(client, 'judge_command', { command: 'ls' })).toMatchObject({
      level: 'safe',
      workspace: stage.workspace,
    });
    const worse = await call(client, 'judge_command', { command: 'rm -rf ~/*' });
    expect(['dangerous', 'blocked']).toContain(worse['level']);
    expect(worse['reasons']).not.toEqual([]);
  });

  test('a plan runs once a person has agreed, step by step in its journal, and can be watched, explained and undone', async () => {
    const command = `echo "$MY_API_KEY" > ${way.replaceAll(/\W/g, '')}.txt; echo told "$MY_API_KEY"`;
    const begun = await call<Seen>(client, 'run', { plan: planOf(command), waitSeconds: 60 });
    expect(begun).toMatchObject({ state: 'agreeing', question: { waitingFor: 'agreement' } });
    expect(begun.question!.decide).toEqual({
      command: `planwright resume ${begun.run}`,
      page: `${stage.url}/runs/${begun.run}`,
    });
    const { waiting } = await call<{ waiting: { run: string }[] }>(client, 'list_waiting');
    expect(waiting.map(({ run }) => run)).toContain(begun.run);
    await stage.agree(begun.run);
    const done = await call<Seen>(client, 'attend_run', { run: begun.run, waitSeconds: 600 });
    expect(done).toMatchObject({ state: 'done', stopReason: 'completed', ended: true });

    const seen = await call<Seen>(client, 'watch_run', { run: begun.run, after: 0, step: '1' });
    expect(seen.events!.map(({ type }) => type)).toContain('step-completed');
    expect(seen.output!.text).toContain('told');
    expect(JSON.stringify(seen)).not.toContain(secret);
    const later = await call<Seen>(client, 'watch_run', { run: begun.run, after: seen.last });
    expect(later.events).toEqual([]);
    const runs = await call<{ runs: { run: string }[] }>(client, 'list_runs', { state: 'done' });
    expect(runs.runs.map(({ run }) => run)).toContain(begun.run);
    expect(await call(client, 'why', { run: begun.run })).toMatchObject({ chapters: [] });
    const undo = await call<{ restores: { path: string }[] }>(client, 'preview_undo', { run: begun.run });
    expect(undo.restores).toHaveLength(1);
    expect(existsSync(join(stage.workspace, undo.restores[0]!.path))).toBe(true);
  });
});

describe('over either', () => {
  let client: Client;
  beforeAll(async () => {
    client = await stage.connect('http, today');
  });

  test('a plan that does not hold is answered with its problems, and begins no run', async () => {
    const broken = 'goal: g\nplan:\n  - step: s\n    action: FLY away\n';
    expect(await call(client, 'validate_plan', { plan: broken })).toMatchObject({ ok: false, steps: [] });
    await expect(call(client, 'run', { plan: broken })).rejects.toThrow('plan-invalid');
    const good = await call(client, 'validate_plan', { plan: planOf('rm -rf /etc/x', 'true') });
    expect(good).toMatchObject({
      ok: true,
      steps: [{ risk: expect.stringMatching(/dangerous|blocked/) }, {}],
    });
  });

  test('a runbook and a file of the folder run as well; the same key twice makes one run', async () => {
    writeFileSync(join(stage.workspace, 'page.md'), '# Page\n\n```sh\ntrue\n```\n');
    const key = 'one-key-for-one-run';
    const first = await call<Seen>(client, 'run', { file: 'page.md', key });
    const again = await call<Seen>(client, 'run', { file: 'page.md', key });
    expect(again.run).toBe(first.run);
    const other = await call<Seen>(client, 'run', { runbook: '# P\n\n```sh\nls\n```\n' });
    expect(other.state).toBe('agreeing');
  });

  test('a goal without a model is the template about it, or is told to be none', async () => {
    const made = call<Seen>(client, 'run', { goal: 'fly me to the moon and back' });
    await expect(made).rejects.toThrow(/model|template/);
  });

  test('a failure is diagnosed, and nothing is run for it', async () => {
    const witness = join(stage.workspace, 'was-run');
    const told = await call<{ correction: { reasoning: string } | null }>(client, 'diagnose_failure', {
      command: `touch ${witness}; npm run biuld`,
      output: 'npm error Missing script: "biuld"\nnpm error Did you mean this?\nnpm error   npm run build',
      exitCode: 1,
    });
    expect(told).toHaveProperty('correction');
    expect(existsSync(witness)).toBe(false);
    const failed = await call<Seen>(client, 'run', { plan: planOf('pyhton3 --version') });
    await stage.agree(failed.run);
    const seen = await call<Seen>(client, 'attend_run', { run: failed.run, waitSeconds: 600 });
    expect(seen.steps[0]!.status).toBe('failed');
    const of = await call<{ correction: { modifiedCommand?: string } | null }>(client, 'diagnose_failure', {
      run: failed.run,
    });
    expect(of).toHaveProperty('correction');
  });

  test('resources show a run without its secrets, and prompts name tools that there are', async () => {
    // The value of a secret variable, written out: hidden wherever it would be told.
    const begun = await call<Seen>(client, 'run', { plan: planOf(`echo ${secret}; exit 3`) });
    expect(begun.question!.text).toContain('RUN_COMMAND echo');
    await stage.agree(begun.run);
    const failed = await call<Seen>(client, 'attend_run', { run: begun.run, waitSeconds: 600 });
    const waiting = await call(client, 'list_waiting');
    const told = await call(client, 'why', { run: begun.run });
    const seen = await call(client, 'watch_run', { run: begun.run, after: 0, step: '1' });
    expect(JSON.stringify([begun, failed, waiting, told, seen])).not.toContain(secret);
    const row = { run: begun.run };
    for (const what of ['state', 'plan', 'journal']) {
      const { contents } = await client.readResource({ uri: `planwright://runs/${row.run}/${what}` });
      const { text } = contents[0] as { text: string };
      expect(text.length, what).toBeGreaterThan(20);
      expect(text, what).not.toContain(secret);
    }
    await expect(client.readResource({ uri: 'planwright://runs/nosuchrun/plan' })).rejects.toThrow();
    const { resources } = await client.listResources();
    expect(resources.some(({ uri }) => uri.startsWith('planwright://templates/'))).toBe(true);
    const { prompts } = await client.listPrompts();
    for (const { name } of prompts) {
      const given = name === 'plan-a-goal' ? { goal: 'ship it' } : { run: row.run };
      const { messages } = await client.getPrompt({ name, arguments: given });
      const { text } = messages[0]!.content as { text: string };
      const named = text.match(/\b[a-z]+_[a-z]+\b/g) ?? [];
      expect(
        named.filter((word) => !tools.some((tool) => tool.name === word)),
        text,
      ).toEqual([]);
    }
  });

  test('nothing happened that nobody foresaw', () => expect(stage.errors).toEqual([]));
});
