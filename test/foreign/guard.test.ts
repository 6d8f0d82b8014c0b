import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { GuardedAgent } from '../../src/core/contract/guard/index.ts';
import { start } from '../support/processes.ts';
import { BIN } from '../support/program.ts';
import { isFullLength, lengthy } from '../support/scale.ts';
import { type Behaviour, startAnthropic, startGoogle, startOpenAi, type WireServer } from '../wire/index.ts';
import { fileIn } from './exchange.ts';

/**
 * The agents themselves, as npm has them, with a model of ours: it tries to delete a folder beside its own through a script and
 * through a variable, and does something harmless before and after. Everything that an agent could ask of somebody is switched
 * off: nothing but the guard is in its way.
 */
const tries = ['echo fine > fine.txt', 'bash clean.sh', 'D=../precious; rm -rf "$D"', 'echo done > done.txt'];

const system = `${process.platform}-${process.arch}`;

interface Program {
  agent: GuardedAgent;
  /** How its model calls for a shell. */
  calls(command: string): { name: string; args: object };
  wire(script: (asked: { body: Record<string, unknown> }) => Behaviour): Promise<WireServer>;
  /** What it is told by files, and how it is started. */
  prepare(home: string, work: string, url: string): { command: string[]; env: Record<string, string> };
}

const programs: Program[] = [
  {
    agent: 'claude-code',
    calls: (command) => ({ name: 'Bash', args: { command, description: 'x' } }),
    wire: startAnthropic,
    prepare: (_home, _work, url) => ({
      command: [
        fileIn(`@anthropic-ai/claude-code-${system}/claude`),
        ...['-p', 'go', '--dangerously-skip-permissions'],
      ],
      env: {
        ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none', IS_SANDBOX: '1' },
        ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
      },
    }),
  },
  {
    agent: 'codex',
    calls: (cmd) => ({ name: 'exec_command', args: { cmd } }),
    wire: startOpenAi,
    prepare(home, _work, url) {
      const provider = `name = "local"\nbase_url = "${url}"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"`;
      const config = `model = "gpt-5"\nmodel_provider = "local"\n[model_providers.local]\n${provider}\n`;
      mkdirSync(join(home, '.codex'), { recursive: true });
      writeFileSync(join(home, '.codex/config.toml'), config);
      const machine = process.arch === 'x64' ? 'x86_64' : 'aarch64';
      const vendor = `@openai/codex-${system}/vendor/${machine}-unknown-linux-musl/bin/codex`;
      const all = ['--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust'];
      return {
        command: [fileIn(vendor), 'exec', '--skip-git-repo-check', ...all, 'go'],
        env: { OPENAI_API_KEY: 'none' },
      };
    },
  },
  {
    agent: 'gemini',
    calls: (command) => ({ name: 'run_shell_command', args: { command, description: 'x' } }),
    wire: startGoogle,
    prepare: (_home, _work, url) => ({
      command: [
        process.execPath,
        fileIn('@google/gemini-cli/bundle/gemini.js'),
        ...['-p', 'go', '--yolo', '--skip-trust', '--model', 'gemini-2.5-flash'],
      ],
      env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url.replace(/\/v1beta$/, '') },
    }),
  },
  {
    agent: 'opencode',
    calls: (command) => ({ name: 'bash', args: { command, description: 'x' } }),
    wire: startOpenAi,
    prepare(_home, work, baseURL) {
      const local = {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL, apiKey: 'none' },
        models: { m: {} },
      };
      const config = { autoupdate: false, share: 'disabled', permission: 'allow', provider: { local } };
      writeFileSync(join(work, 'opencode.json'), JSON.stringify(config));
      return {
        command: [fileIn(`opencode-${system}/bin/opencode`), 'run', '--model', 'local/m', 'go'],
        env: {
          ...{ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
          ...{ OPENCODE_DISABLE_DEFAULT_PLUGINS: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
        },
      };
    },
  },
];

function makeHome(): { home: string; work: string } {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-guard-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const work = join(home, 'work');
  for (const folder of [work, join(home, 'precious'), join(home, '.gemini')]) mkdirSync(folder);
  writeFileSync(join(home, 'precious/a'), 'x');
  writeFileSync(join(work, 'clean.sh'), 'rm -rf ../precious\n');
  const auth = { security: { auth: { selectedType: 'gemini-api-key' } } };
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(auth));
  return { home, work };
}

/** What it said, once it has ended. */
async function said([program = '', ...args]: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const started = start(program, args, { cwd, env });
  onTestFinished(() => void started.child.kill('SIGKILL'));
  const { stdout, stderr } = await started.ended;
  return `${stdout}${stderr}`;
}

describe.skipIf(!isFullLength || process.platform !== 'linux')('an agent that others wrote', () => {
  it.each(programs)(
    '$agent is kept from what lies outside its folder, and from nothing else',
    async (program) => {
      const { home, work } = makeHome();
      const { agent, calls } = program;
      const base = {
        ...{ PATH: process.env['PATH'], HOME: home, XDG_CONFIG_HOME: join(home, '.config'), CI: 'true' },
        PLANWRIGHT_HOME: join(home, 'planwright'),
      };
      const planwright = (...args: string[]) => said([process.execPath, BIN, ...args], work, base);
      expect(await planwright('guard', 'install', '--for', agent, '--yes', '--undo', 'on')).toContain(
        'Installed',
      );
      let at = 0;
      const wire = await program.wire(({ body }) => {
        // Beside its work an agent asks for titles and the like, without tools.
        if (!JSON.stringify(body['tools'] ?? '').includes(calls('').name)) return { text: 'ok' };
        const command = tries[at++];
        return command === undefined ? { text: 'all done' } : { calls: [calls(command)] };
      });
      onTestFinished(() => wire.close());
      const { command, env } = program.prepare(home, work, wire.url);
      const out = await said(command, work, { ...base, ...env });
      expect(existsSync(join(home, 'precious/a')), out).toBe(true);
      expect([existsSync(join(work, 'fine.txt')), existsSync(join(work, 'done.txt'))], out).toEqual([
        true,
        true,
      ]);
      const [session] = JSON.parse(await planwright('guard', 'log', '--json')) as {
        calls: { answer: string }[];
      }[];
      expect(session?.calls.map(({ answer }) => answer)).toEqual(['none', 'deny', 'deny', 'none']);
      // What it did is taken back.
      expect(await planwright('undo', '--guarded', '--yes')).toContain('Put back 2 paths');
      expect([existsSync(join(work, 'fine.txt')), existsSync(join(work, 'done.txt'))]).toEqual([
        false,
        false,
      ]);
    },
    lengthy.timeout,
  );
});
