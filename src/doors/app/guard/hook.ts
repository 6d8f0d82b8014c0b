import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { GuardAnswer, GuardedAgent, GuardFact, GuardRow } from '../../../core/contract/guard/index.ts';
import { actionText, sha256Hex } from '../../../core/contract/index.ts';
import {
  answerTo,
  type Fields,
  type HookCall,
  type HookReply,
  hookFormats,
  isFields,
  namedIn,
  reasonFor,
  shellOf,
  typedOf,
  UNREADABLE,
  unkeptReason,
} from '../../../core/guard/index.ts';
import { atLeast } from '../../../core/risk/index.ts';
import { ledgerIn, noteAgent } from '../../../world/process/lineage.ts';
import { randomBytes } from '../../../world/process/random.ts';
import { type Env, findPlaces, findWorkspace, foldersAbove, homeOf, type Places } from '../places.ts';
import { isTrusted } from '../trust.ts';
import type { FolderKept } from './checkpoint.ts';
import { openSessionJournal, type SessionJournal } from './journal.ts';
import { type JudgedAction, judgeCall } from './judge-call.ts';

/**
 * Whether the folder is kept before and after what may change it: `auto` where a person trusts it; `required`, and what it
 * cannot be kept before is denied.
 */
export const checkpointChoices = ['auto', 'on', 'required', 'off'] as const;
export type GuardCheckpoints = (typeof checkpointChoices)[number];

export interface HookInput {
  agent: GuardedAgent;
  /** What the agent wrote to the hook. */
  text: string;
  env: Env;
  checkpoints: GuardCheckpoints;
  /** The file that this process was started with, where it is the hook's own. */
  program?: string | undefined;
  /** This process is the hook's own, and ends with the answer: the store is left to the system. */
  isLast?: boolean;
}

/**
 *   the hook's text ──▶ not readable ──▶ journal ──────────────▶ deny
 *          ├──▶ something else than a call of a tool ───────────▶ no objection
 *          ├──▶ after a call ──▶ checkpoint, where one was taken before ──▶ no objection
 *          └──▶ before one ──▶ a tool that is not known ──▶ journal ──▶ no objection
 *                    └──▶ judge ──▶ answer ──▶ checkpoint, where it may go on ──▶ journal ──▶ reply
 *
 * Whatever fails on the way is a deny with its reason, and in the journal where that can be written: never throws.
 */
export async function answerHook(given: HookInput): Promise<HookReply> {
  const { agent, text, env, checkpoints, program = null, isLast } = given;
  const format = hookFormats[agent];
  let call: HookCall | null = null;
  let input: unknown = null;
  try {
    input = JSON.parse(text);
    const read = isFields(input) ? format.read(input, env) : { problem: 'it is no object' };
    if ('problem' in read) throw new Error(read.problem);
    call = read;
    if (call.when === 'before' && text.length > LARGEST) throw new Error('it is longer than 16 MB');
    if (call.when === 'other') return format.reply('none', '', call);
    const places = findPlaces(env);
    const journal = await openSessionJournal(places, agent, call.session);
    try {
      if (isLast) noteAgent(ledgerIn(places.data), agent);
      const before = { call, agent, env, places, journal, checkpoints, program, row: await journal.row() };
      if (call.when === 'after') {
        await noteEnd(before);
        return format.reply('none', '', call);
      }
      const { answer, reason } = await judgeAndNote(before);
      return format.reply(answer, reason, call);
    } finally {
      await (isLast ? journal.leave() : journal.close());
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const reason = `Planwright's guard could not judge this call of ${agent}: ${why}. Tell the person; planwright guard status says more.`;
    const fields = isFields(input) ? input : {};
    const { when } = call ?? namedIn(fields);
    await noteUnread({ agent, env, text, input: fields, reason, answer: when === 'after' ? 'none' : 'deny' });
    return format.reply('deny', reason, { when });
  }
}

interface Unread {
  agent: GuardedAgent;
  env: Env;
  text: string;
  input: Fields;
  reason: string;
  answer: GuardAnswer;
}

/** No agent says more about one call. */
const LARGEST = 16 * 1024 * 1024;

/** Writes down what was denied unread. Where that fails too, the denial stands without it: never throws. */
async function noteUnread({ agent, env, text, input, reason, answer }: Unread): Promise<void> {
  try {
    const named = namedIn(input);
    const journal = await openSessionJournal(findPlaces(env), agent, named.session ?? UNREADABLE);
    try {
      const cwd = named.cwd !== null && existsSync(named.cwd) ? realOf(named.cwd) : process.cwd();
      const row = await journal.row();
      await journal.write(row?.workspace ?? cwd, {
        type: 'call-judged',
        ...{ id: newVerdict(), call: digest(text.slice(0, 65_536)), tool: named.tool ?? '', text: '', cwd },
        ...{ level: null, answer, reason },
      });
    } finally {
      await journal.close();
    }
  } catch {
    // Whatever kept it from being judged keeps it from being written.
  }
}

const newVerdict = (): string => randomBytes(4).toString('hex');
const digest = (text: string): string => sha256Hex(text).slice(0, 16);

interface Guarding {
  call: HookCall;
  agent: GuardedAgent;
  env: Env;
  places: Places;
  journal: SessionJournal;
  checkpoints: GuardCheckpoints;
  program: string | null;
  row: GuardRow | null;
}

async function judgeAndNote(guarding: Guarding): Promise<{ answer: GuardAnswer; reason: string }> {
  const { call, agent, env, places, journal, row } = guarding;
  const cwd = realOf(call.cwd);
  const workspace = workspaceOf(call, row, homeOf(env));
  const since = row?.createdAt ?? Date.now();
  const judged =
    call.actions === null
      ? null
      : await judgeCall(call.actions, {
          agent,
          places,
          env,
          workspace,
          cwd,
          since,
          shell: shellOf(call.tool),
          typed: typedOf(agent, call.tool),
          program: guarding.program,
        });
  const level = judged?.verdict.level ?? null;
  const first = level === null ? 'none' : answerTo(level, call.canAsk);
  const id = newVerdict();
  const changes = level !== null && atLeast(level, 'caution') && first !== 'deny';
  const kept = changes ? await takeCheckpoint(guarding, workspace, judged!) : null;
  const isLost = kept !== null && 'why' in kept;
  const answer = isLost && guarding.checkpoints === 'required' ? 'deny' : first;
  const said = judged === null ? '' : reasonFor(first, judged.verdict, id);
  const reason = isLost ? `${said} ${unkeptReason(answer, kept.why)}`.trim() : said;
  const name = callName(call);
  const fact: GuardFact = {
    type: 'call-judged',
    ...{ id, call: name, tool: call.tool, cwd, level, answer, reason },
    text: judged === null ? '' : textOf(judged),
    ...(answer === 'none' || judged === null ? {} : { judged }),
    ...(kept !== null && 'checkpoint' in kept ? kept : {}),
  };
  const lost: GuardFact[] = isLost
    ? [{ type: 'checkpoint-failed', call: name, when: 'before', why: kept.why }]
    : [];
  await journal.write(workspace, fact, ...lost);
  return { answer, reason };
}

const LONGEST = 2_000;

function textOf({ action }: JudgedAction): string {
  const { verb, text } = actionText(action);
  const whole = verb === null ? text : `${verb} ${text}`;
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST)}…` : whole;
}

/** As the agent names it; where it does not, by what it does: the same before and after. */
const callName = ({ call, tool, given }: HookCall): string =>
  call === '' ? digest(JSON.stringify([tool, given])) : call;

function realOf(folder: string): string {
  if (!isAbsolute(folder)) throw new Error(`${folder} is not a whole path`);
  return realpathSync(folder);
}

/**
 * The folder that the agent says it works in; else that of its first call, the repository, or where it is. Where a call would
 * run has no say in it: whoever goes elsewhere is outside.
 */
function workspaceOf({ root, base }: HookCall, row: GuardRow | null, home: string): string {
  if (root !== null) return findWorkspace('/', root);
  const at = realOf(base);
  if (row !== null && (at === row.workspace || at.startsWith(`${row.workspace}/`))) return row.workspace;
  return foldersAbove(at, home).find((folder) => existsSync(join(folder, '.git'))) ?? at;
}

const areKept = ({ checkpoints, places }: Guarding, workspace: string): boolean =>
  checkpoints === 'auto' ? isTrusted(places, workspace) : checkpoints !== 'off';

async function takeCheckpoint(
  guarding: Guarding,
  workspace: string,
  { verdict }: JudgedAction,
): Promise<FolderKept | null> {
  if (!areKept(guarding, workspace)) return null;
  const { checkpointFor } = await import('./checkpoint.ts');
  const last = guarding.row?.checkpoint ?? null;
  return checkpointFor(guarding, workspace, { paths: verdict.paths, last });
}

async function noteEnd(guarding: Guarding): Promise<void> {
  const { call, journal, row } = guarding;
  const name = callName(call);
  if (row === null || !row.open.includes(name)) return;
  const { checkpointFor } = await import('./checkpoint.ts');
  const kept = await checkpointFor(guarding, row.workspace, { paths: [], last: row.checkpoint });
  const fact: GuardFact =
    'why' in kept
      ? { type: 'checkpoint-failed', call: name, when: 'after', why: kept.why }
      : { type: 'call-ended', call: name, checkpoint: kept.checkpoint };
  await journal.write(row.workspace, fact);
}
