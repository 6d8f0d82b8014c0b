import { pathToFileURL } from 'node:url';
import { modelKeyVariables } from '../../../core/contract/index.ts';
import type { AgentWork } from '../../../core/tasks/index.ts';
import type { ClaudeCode, ClaudeSdk } from '../../../mind/tasks/index.ts';
import { baseEnvironment } from '../../../world/process/environment.ts';
import { ledgerIn, noteGroup } from '../../../world/process/lineage.ts';
import { startPeer } from '../../../world/process/peer.ts';
import { agentVariables } from '../../../world/worktrees/index.ts';
import { withoutSecrets } from '../environment.ts';
import { isTrusted } from '../trust.ts';
import { AGENT_STEP } from './acp-program.ts';
import type { TaskDriving } from './driving.ts';

/** Its licence is its own and it is large: it is the person's to install. */
const SDK = '@anthropic-ai/claude-agent-sdk';
export const CLAUDE_MISSING = `claude-code needs ${SDK}, which is not installed: npm install -g ${SDK} puts it beside Planwright`;

/** Where it is, if not beside Planwright: a file. */
const PLACE = 'PLANWRIGHT_CLAUDE_SDK';

/** Claude Code, as it is installed here: with the login of the person, and of their secrets no other. */
export function claudeCode(given: TaskDriving, { run, epoch, given: { repository } }: AgentWork): ClaudeCode {
  const { env: own, places, config } = given;
  const keys = Object.entries(own).filter(([name]) => modelKeyVariables.has(name) && isClaudes(name));
  const env = {
    ...baseEnvironment({ ...withoutSecrets(own, ''), ...Object.fromEntries(keys) }),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: own['CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'] ?? '1',
    ...agentVariables(run),
  };
  return {
    env,
    isTrusted: isTrusted(places, repository.path),
    async load() {
      const place = own[PLACE];
      try {
        return (await import(place === undefined ? SDK : pathToFileURL(place).href)) as ClaudeSdk;
      } catch {
        return null;
      }
    },
    async start(command, asked) {
      const started = await startPeer({
        command,
        baseEnv: baseEnvironment(asked.env),
        session: { cwd: asked.cwd ?? repository.path, env: {} },
        marker: { run, step: AGENT_STEP, epoch },
        graceMs: config['kill-grace'] * 1000,
      });
      if (!started.ok) throw new Error(started.message);
      noteGroup(ledgerIn(places.data), started.peer.group, { run, step: AGENT_STEP });
      return started.peer;
    },
  };
}

const isClaudes = (name: string): boolean => /^(?:ANTHROPIC|CLAUDE)_/.test(name);
