import type { AgentProgram } from '../../../core/contract/tasks/index.ts';
import type { AcpProgram } from '../../../mind/tasks/index.ts';
import { findProgram } from '../../../world/process/index.ts';
import { ledgerIn, noteGroup } from '../../../world/process/lineage.ts';
import { startPeer } from '../../../world/process/peer.ts';
import type { TaskDriving } from './driving.ts';
import type { Workplace } from './workplace.ts';

/** The step that the processes of an agent are marked with. */
export const AGENT_STEP = 'agent';

/** A program of the person's, as an agent is started: gated, marked as ours, in its own group and its own place. */
export const acpProgram = (
  { places, config }: TaskDriving,
  { command }: AgentProgram,
  epoch: number,
  { folder, env, variables, sandbox }: Workplace,
): AcpProgram => ({
  async isThere() {
    const program = /^\s*(\S+)/.exec(command)?.[1] ?? '';
    return program.includes('/') || program.includes('=') || findProgram(program, env['PATH']) !== null;
  },
  async start({ run }) {
    const started = await startPeer({
      command,
      baseEnv: env,
      session: { cwd: folder, env: { ...variables } },
      marker: { run, step: AGENT_STEP, epoch },
      graceMs: config['kill-grace'] * 1000,
      ...(sandbox === null ? {} : { sandbox }),
    });
    if (!started.ok) throw new Error(started.message);
    noteGroup(ledgerIn(places.data), started.peer.group, { run, step: AGENT_STEP });
    return started.peer;
  },
});
