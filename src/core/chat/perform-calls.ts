import {
  actionOfCall,
  type CallState,
  type ChatFact,
  type ChatState,
  describeAction,
  fingerprint,
  readCall,
  type Step,
  toolReads,
} from '../contract/index.ts';
import { failedResult, type JudgeWork, nothingToDo } from '../run/index.ts';
import { issuePermit, type PerformContext } from '../stream/index.ts';
import { refused } from './calls.ts';
import type { ChatPorts } from './ports.ts';
import type { ChatWorkOf } from './work.ts';

type Context = PerformContext<ChatFact>;

/** A call as the step that it is performed as. */
function stepOf({ id, tool, args }: CallState): Step | null {
  const read = readCall(tool, args);
  const action = read.ok ? actionOfCall(read.tool, read.args) : null;
  return action === null ? null : { id, title: describeAction(action), action };
}

const placeOf = (
  { begun, session, workspace, options, performed, turn }: ChatState,
  step: Step,
): JudgeWork => ({
  run: begun!.chat,
  revision: 0,
  step,
  session,
  workspace,
  shell: options!.shell,
  values: {},
  items: null,
  grants: null,
  unseen: false,
  // What the person typed as a command, they have seen.
  byModel: turn?.isCommand !== true,
  earlier: performed,
});

export async function judge(
  { performer }: ChatPorts,
  state: ChatState,
  call: CallState,
  { signal }: Context,
): Promise<ChatFact> {
  const step = stepOf(call);
  if (step === null) return refused(call.id, 'unsupported', `there is no tool ${call.tool}`);
  const { verdict, subject } = await performer.judge(placeOf(state, step), signal);
  return { type: 'call-judged', callId: call.id, verdict, subject, fingerprint: fingerprint(subject) };
}

/** Side by side; what comes of each is durable as it comes, so that after a crash only those without are done again. */
export async function performCalls(
  ports: ChatPorts,
  { state, calls }: ChatWorkOf<'calls'>,
  context: Context,
): Promise<ChatFact[]> {
  if (calls.length === 1) return [await performCall(ports, state, calls[0]!, context)];
  await Promise.all(
    calls.map(async (call) => void (await context.record([await performCall(ports, state, call, context)]))),
  );
  return [];
}

async function performCall(
  { performer, mind }: ChatPorts,
  state: ChatState,
  call: CallState,
  context: Context,
): Promise<ChatFact> {
  const { id: callId, judged } = call;
  const finished = { type: 'call-finished', callId, by: 'driver' } as const;
  if (call.tool === 'diagnose') {
    const text = await mind.diagnose(call.args as Parameters<typeof mind.diagnose>[0]);
    return { ...finished, result: nothingToDo('looked up'), text };
  }
  const step = stepOf(call);
  const pass = issuePermit(judged === null ? null : { ...judged, wantsMore: false }, state.approvals);
  if (step === null || judged === null || 'refused' in pass) {
    const why = 'refused' in pass ? pass.refused : 'not-judged';
    return { ...finished, result: failedResult('internal', `no permit: ${why}`), by: 'nobody' };
  }
  const { signal, epoch } = context;
  const asked = { ...placeOf(state, step), epoch, attemptIndex: 0, item: null, services: [], begun: null };
  const result = await performer.attempt({ ...asked, judged }, pass.permit, {
    signal,
    spawned: (group, heldBefore) =>
      context.record([{ type: 'process-spawned', callId, group, heldBefore }], { ofThisBoot: true }),
    prepared: (changes) => context.record([{ type: 'change-prepared', callId, changes }]),
    listening: async () => true,
    checkpointed: async () => true,
  });
  return { ...finished, result };
}

export async function recover(
  { performer }: ChatPorts,
  { state, call }: ChatWorkOf<'recover'>,
): Promise<ChatFact[]> {
  const interrupted = { type: 'call-interrupted', callId: call.id } as const;
  const step = stepOf(call);
  // To look again does no harm.
  if (toolReads(call.tool) || step === null)
    return [{ ...interrupted, finding: 'not-started', detail: 'it only looks, and is done again' }];
  const { run, session, workspace, shell, values } = placeOf(state, step);
  const { epoch = 0, host = '', boot = '' } = call.started ?? {};
  const { spawned, prepared } = call;
  const found = await performer.recover({
    ...{ run, epoch, step, attemptIndex: 0, session, workspace, shell, host, boot },
    ...{ spawned, prepared, values, items: null, item: null },
  });
  return found.finding === 'done'
    ? [{ type: 'call-finished', callId: call.id, result: found.result, by: 'recovery' }]
    : [{ ...interrupted, finding: found.finding, detail: found.detail }];
}
