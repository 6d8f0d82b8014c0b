import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  added,
  type Blocks,
  describeAction,
  fingerprint,
  type SimpleAction,
  type StepResult,
  type Subject,
  type Verdict,
} from '../../../core/contract/index.ts';
import { agentModes } from '../../../core/contract/tasks/index.ts';
import { failedResult, type JudgeWork, type Performer } from '../../../core/run/index.ts';
import { type Decided, issuePermit, needsApproval, type Output } from '../../../core/stream/index.ts';
import type { AgentHooks, AgentWork } from '../../../core/tasks/index.ts';
import type { AgentHost, Allowed, PerformOptions } from '../../../mind/tasks/index.ts';
import { locate } from '../../../world/workspace/index.ts';

interface Gating {
  performer: Performer;
  output: Output;
  work: AgentWork;
  hooks: AgentHooks;
  /** The folder that it works in: its worktree, or its private clone. */
  folder: string;
  /** What its commands are started with besides. */
  variables: Readonly<Record<string, string>>;
  redact(text: string): string;
  /** Somebody would have to decide, and nobody is there to: its run is to end. */
  onUndecided(message: string): void;
}

interface Judged {
  step: JudgeWork['step'];
  verdict: Verdict;
  subject: Subject;
}

/**
 * What an agent wants to do, before it does it.
 *
 *   judged ─▶ safe: goes on
 *          ─▶ blocked: no │ not safe, in a mode that changes nothing: no
 *          ─▶ caution: goes on, written down │ dangerous: a person decides, by `onAsk`, bound to what was judged
 */
export function createAgentGate(gating: Gating): Pick<AgentHost, 'allowed' | 'read' | 'perform'> {
  const { performer, work, hooks, folder, variables } = gating;
  const { run, attempt, mode } = work;
  const decisions: Decided[] = [];
  let performed: Blocks<{ action: SimpleAction; cwd: string }> = [];
  let count = 0;

  const placed = (step: JudgeWork['step'], cwd: string): JudgeWork => ({
    ...{ run, revision: 0, step, workspace: folder, shell: 'bash', values: {}, items: null, grants: null },
    session: { cwd, env: { ...variables } },
    ...{ unseen: false, byModel: true, earlier: performed },
  });

  async function judge(action: SimpleAction, cwd: string): Promise<Judged> {
    count += 1;
    const step = { id: `call-${attempt}-${count}`, title: describeAction(action), action };
    const { verdict, subject } = await performer.judge(placed(step, cwd), hooks.signal);
    return { step, verdict, subject };
  }

  async function decide(judged: Judged, cwd: string): Promise<Allowed> {
    const { verdict, step } = judged;
    const { level } = verdict;
    if (level === 'safe') return { ok: true };
    const allowed = await sayOf(judged);
    const fact = {
      ...({ type: 'call-decided', attempt, title: gating.redact(step.title), level } as const),
      ...{ allowed: allowed.ok, why: allowed.ok ? null : gating.redact(allowed.message) },
    };
    if (!(await hooks.record([fact]))) return { ok: false, message: 'somebody else has the run' };
    if (allowed.ok) performed = added(performed, { action: step.action as SimpleAction, cwd });
    return allowed;
  }

  async function sayOf({ verdict, subject, step }: Judged): Promise<Allowed> {
    const no = (message: string): Allowed => ({ ok: false, message });
    const sentence = verdict.reasons[0]?.sentence ?? 'It is not done for anybody.';
    if (verdict.level === 'blocked') return no(sentence);
    if (!agentModes[mode].changes) return no(`in the mode ${mode} nothing is changed`);
    const print = fingerprint(subject);
    if (!needsApproval({ verdict, fingerprint: print, wantsMore: false })) return { ok: true };
    const { onAsk } = work.given;
    if (onAsk !== 'wait') {
      const message = `somebody has to decide on it, and nobody is there: ${step.title}`;
      if (onAsk === 'fail') gating.onUndecided(message);
      return no(message);
    }
    const approvalId = `${step.id}a`;
    const asked = {
      type: 'approval-needed',
      approvalId,
      attempt,
      verdict,
      subject,
      fingerprint: print,
    } as const;
    if (!(await hooks.record([asked]))) return no('somebody else has the run');
    const { granted, reason } = await hooks.decided(approvalId);
    if (!granted) return no(`the person does not want it done${reason === null ? '' : `: ${reason}`}`);
    decisions.push({ fingerprint: print, subject, status: 'granted' });
    return { ok: true };
  }

  async function perform(action: SimpleAction, how: PerformOptions = {}): Promise<StepResult> {
    const cwd = resolve(folder, how.cwd ?? '.');
    const judged = await judge(action, cwd);
    const allowed = await decide(judged, cwd);
    if (!allowed.ok) return failedResult('denied', allowed.message);
    const { verdict, subject, step } = judged;
    const print = fingerprint(subject);
    const pass = issuePermit({ verdict, fingerprint: print, wantsMore: false }, decisions);
    if ('refused' in pass) return failedResult('internal', `no permit: ${pass.refused}`);
    const { epoch } = work;
    const asked = { ...placed(step, cwd), epoch, attemptIndex: 0, item: null, services: [], begun: null };
    const telling = told(gating.output, run, step.id, how.onOutput);
    const signal = how.signal === undefined ? hooks.signal : AbortSignal.any([hooks.signal, how.signal]);
    const result = await performer.attempt({ ...asked, judged: { verdict, subject } }, pass.permit, {
      signal,
      spawned: (group) => hooks.record([{ type: 'process-spawned', attempt, group }]),
      prepared: async () => !hooks.signal.aborted,
      listening: async () => true,
      checkpointed: async () => true,
    });
    await telling.end();
    return result;
  }

  const allowed = async (action: SimpleAction): Promise<Allowed> =>
    decide(await judge(action, folder), folder);
  return {
    allowed,
    async read(path) {
      const may = await allowed({ kind: 'read-file', path, as: 'text' });
      if (!may.ok) throw new Error(may.message);
      return readText(folder, path);
    },
    perform: (action, how) =>
      perform(action, how).catch((error: unknown) =>
        failedResult('internal', error instanceof Error ? error.message : String(error)),
      ),
  };
}

const MOST_TEXT = 10 * 1024 * 1024;

/** A file of the folder, whatever links lead there, as it is: what else is read for a model has its last lines trimmed. */
async function readText(workspace: string, path: string): Promise<string | null> {
  const place = locate({ workspace, cwd: workspace }, path, { follow: true });
  try {
    if (place.entry.kind === 'absent') return null;
    if (place.entry.kind !== 'file') throw new Error(`${path} is no file`);
    const { size } = await stat(place.here());
    if (size > MOST_TEXT) throw new Error(`${path} is too large`);
    return (await readFile(place.here())).toString('utf8');
  } finally {
    place.close();
  }
}

const PIECE = 64 * 1024;

/** What a command prints, as it prints it. It is for the agent to read: where it cannot be had, nothing is told. */
function told(output: Output, run: string, step: string, onOutput: ((text: string) => void) | undefined) {
  if (onOutput === undefined) return { end: async () => {} };
  const ended = new AbortController();
  const decoder = new TextDecoder();
  let next = 0;
  const take = (chunk: { bytes: Uint8Array; next: number }): void => {
    next = chunk.next;
    onOutput(decoder.decode(chunk.bytes, { stream: true }));
  };
  const following = (async () => {
    for await (const chunk of output.follow(run, step, 0, ended.signal)) take(chunk);
  })().catch(() => {});
  return {
    async end() {
      ended.abort();
      await following;
      for (;;) {
        const chunk = await output.read(run, step, 0, next, PIECE).catch(() => null);
        if (chunk === null || chunk.next === next) return;
        take(chunk);
      }
    },
  };
}
