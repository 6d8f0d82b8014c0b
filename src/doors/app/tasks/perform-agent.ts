import type { AgentFact } from '../../../core/contract/tasks/index.ts';
import { sizeText } from '../../../core/contract/told/index.ts';
import type { AgentEnd, AgentHooks, AgentWork } from '../../../core/tasks/index.ts';
import { type Agent, type AgentHost, failedRun } from '../../../mind/tasks/index.ts';
import { streamOf } from '../secrets.ts';
import { createAgentGate } from './agent-gate.ts';
import { agentNamed, CLAUDE_CODE } from './agents.ts';
import { CLAUDE_MISSING } from './claude-code.ts';
import type { TaskDriving } from './driving.ts';
import { AGENT_LOG } from './log.ts';
import { NotHeld, type Workplace, workplaceOf } from './workplace.ts';

type Commit = (message: string) => Promise<string | null>;

/** One performance of an agent: in its place, behind the gate, with what it says kept as it says it. Never rejects. */
export async function performAgent(
  given: TaskDriving,
  work: AgentWork,
  hooks: AgentHooks,
  commit: Commit,
): Promise<AgentEnd> {
  const { program } = work.given;
  try {
    const place = program === undefined ? null : await workplaceOf(given, work, program);
    try {
      const agent = await agentNamed(given, work, place);
      if (agent === null || !(await agent.isAvailable())) return failedRun('unavailable', whyNot(work));
      const ended = await execute(given, { agent, place }, work, hooks, commit);
      // What it has done until it was ended is not lost either.
      await place?.take(work.brief.title);
      return ended;
    } finally {
      await place?.close();
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return failedRun(error instanceof NotHeld ? 'unavailable' : 'error', message);
  }
}

function whyNot({ agent, given: { program } }: AgentWork): string {
  const [type, name = 'NAME'] = agent.split(':', 2);
  if (type === CLAUDE_CODE) return CLAUDE_MISSING;
  if (type !== 'acp') return `the agent ${agent} cannot be used here`;
  return program === undefined
    ? `nobody has said how ${agent} is started: planwright project set --program ${name}=COMMAND`
    : `${agent} is not installed: ${program.command} is not on the PATH`;
}

async function execute(
  given: TaskDriving,
  { agent, place }: { agent: Agent; place: Workplace | null },
  work: AgentWork,
  hooks: AgentHooks,
  commit: Commit,
): Promise<AgentEnd> {
  const { run, task, mode, branch, attempt, prompt, brief, session } = work;
  const folder = place?.folder ?? work.worktree;
  const record = (...facts: AgentFact[]) => hooks.record(facts);
  let undecided: string | null = null;
  const stop = () => void agent.stop(run);
  const gate = createAgentGate({
    performer: await given.performing(
      { plan: null, workspace: folder, createdAt: given.now(), said: '' },
      given.filter,
    ),
    ...{ output: given.output, work, hooks, folder },
    variables: place?.variables ?? {},
    redact: (text) => given.filter().text(text),
    onUndecided: (message) => {
      undecided ??= message;
      stop();
    },
  });
  const host: AgentHost = {
    named: (chosen) => record({ type: 'session-named', attempt, session: chosen }),
    spawned: (group) => record({ type: 'process-spawned', attempt, group }),
    // What is left in a private clone is taken when it has ended.
    commit: place === null || place.sandbox === null ? commit : async () => null,
    ...gate,
  };
  const log = await liveLog(given, run, attempt);
  hooks.signal.addEventListener('abort', stop, { once: true });
  try {
    const context = { run, task, mode, worktree: folder, branch, attempt, prompt, brief, session, host };
    const config = { ...work.given.limits, onAsk: work.given.onAsk };
    const started = agent.execute(context, config, log.write, (message) => log.note(message));
    if (hooks.signal.aborted) stop();
    const ended = await started;
    if (undecided !== null) return { ...ended, why: 'error', message: undecided };
    const isTimeout = hooks.signal.aborted && hooks.signal.reason === 'timeout';
    return isTimeout ? { ...ended, why: 'timeout' as const, message: 'its time was up' } : ended;
  } finally {
    hooks.signal.removeEventListener('abort', stop);
    await log.end();
  }
}

/** What may wait to be written: an agent that says more than the disk takes is not kept whole, and this says so. */
const MOST_WAITING = 16 * 1024 * 1024;

/** What the agent says as it says it, without secrets, bounded like the output of a step. It is for watching: it may fail. */
export async function liveLog(
  { output, filter }: Pick<TaskDriving, 'output' | 'filter'>,
  run: string,
  attempt: number,
) {
  const encoder = new TextEncoder();
  const bytes = streamOf(filter());
  const writer = await output.writer(run, AGENT_LOG, attempt).catch(() => null);
  let last: Promise<unknown> = Promise.resolve();
  const [waiting, lost] = [{ bytes: 0 }, { bytes: 0 }];
  const put = (chunk: Uint8Array) => {
    if (waiting.bytes > MOST_WAITING) {
      lost.bytes += chunk.length;
      return;
    }
    const gap = lost.bytes === 0 ? [] : [encoder.encode(`\n· ${sizeText(lost.bytes)} were not kept\n`)];
    lost.bytes = 0;
    for (const part of [...gap, chunk]) {
      waiting.bytes += part.length;
      last = last
        .then(() => writer?.write(part))
        .catch(() => {})
        .finally(() => {
          waiting.bytes -= part.length;
        });
    }
  };
  const write = (text: string) => put(bytes.write(encoder.encode(text)));
  return {
    write,
    note: (text: string) => write(`· ${text}\n`),
    async end() {
      await last;
      put(bytes.flush());
      await last;
      await writer?.end().catch(() => {});
    },
  };
}
