import type { Plan, Proposal, Shell } from '../../core/contract/index.ts';
import { printAction, renderPlanDiff } from '../../core/plan/index.ts';
import type { FindSecret, WorkspaceFacts } from '../../core/plan/validate/index.ts';
import type {
  DraftOutcome,
  Planner,
  PlannerAnswer,
  PlannerContext,
  PlannerWork,
} from '../../core/run/index.ts';
import { actionsWith, assessDraft } from './assess.ts';
import { confidenceOf } from './confidence.ts';
import type { Chain, Experience, Identity, PlannedTool, PlannerModels, PlannerReply } from './port.ts';
import { readHints, readRestatement } from './prompt/answers.ts';
import {
  type PlanMaterial,
  type Prompt,
  planPrompt,
  reflectPrompt,
  repairPrompt,
  restatePrompt,
} from './prompt/prompts.ts';
import { readDraft } from './read/draft.ts';
import { describeWorkspace, type WorkspaceReport } from './workspace/report.ts';

export interface PlannerOptions {
  models: PlannerModels;
  identity: Identity;
  experience: Experience;
  /** Looks around in the workspace; asked anew for each draft, because steps change it. */
  look(workspace: string, shell: Shell): Promise<WorkspaceReport>;
  facts(workspace: string): WorkspaceFacts;
  findSecret: FindSecret;
  /** What plans of conversations may call. Left out: nothing. Never rejects. */
  tools?(workspace: string): Promise<readonly PlannedTool[]>;
  /** Hides secrets in what leaves the program: prompts and messages. */
  redact(text: string): string;
}

/** The planner of plan runs: one model call for each piece of work. Never throws. */
export const createPlanner = (options: PlannerOptions): Planner => ({
  async perform(work, context) {
    const fast = work.call === 'restate' || work.call === 'reflect';
    const chain = fast ? options.models.fast : options.models.planner;
    const prompt = await promptOf(options, work);
    const answered = await ask(options, chain, work, prompt, context);
    if (!answered.ok) {
      const { why, message, durationMs = 0 } = answered;
      return { kind: 'failed', why, message: options.redact(message), durationMs };
    }
    return take(options, work, answered.text, answered.durationMs);
  },
});

function ask(
  { redact }: PlannerOptions,
  chain: Chain,
  { model }: PlannerWork,
  prompt: Prompt,
  context: PlannerContext,
): Promise<PlannerReply> {
  const messages = prompt.messages.map(({ role, content }) => ({ role, content: redact(content) }));
  return chain.ask(model, { ...prompt, messages, ...context });
}

async function promptOf(options: PlannerOptions, work: PlannerWork): Promise<Prompt> {
  const { planning, n } = work;
  if (work.call === 'restate') return restatePrompt(planning);
  if (work.call === 'reflect') return reflectPrompt(planning, n);
  const material = await materialOf(options, work);
  return work.call === 'repair' ? repairPrompt(material, n) : planPrompt(material);
}

async function materialOf(options: PlannerOptions, work: PlannerWork): Promise<PlanMaterial> {
  const { identity, experience, look } = options;
  const { planning, workspace, before, run } = work;
  const [report, past, tools] = await Promise.all([
    look(workspace, shellOf(work)),
    experience.wentWrong(planning.goal, workspace, run),
    toolsFor(options, work),
  ]);
  return {
    rules: {
      identity,
      shell: shellOf(work),
      mode: work.options.mode,
      allowedActions: actionsWith(tools),
      tools,
    },
    planning,
    workspace: describeWorkspace(report),
    before,
    past,
  };
}

/** A plan of a conversation calls what the conversation calls. */
const toolsFor = async ({ tools }: PlannerOptions, { planning, workspace }: PlannerWork) =>
  planning.isAwaited === true && tools !== undefined ? tools(workspace) : [];

/** A plan that is made anew stays in the shell that its run began in. */
const shellOf = ({ before, planning }: PlannerWork): Shell => before?.plan.shell ?? planning.shell;

async function take(
  options: PlannerOptions,
  work: PlannerWork,
  text: string,
  durationMs: number,
): Promise<PlannerAnswer> {
  if (work.call === 'restate') {
    const restated = readRestatement(text);
    return restated === null
      ? { kind: 'failed', why: 'invalid', message: 'the answer did not restate the goal', durationMs }
      : { kind: 'restated', text: restated, durationMs };
  }
  if (work.call === 'reflect') {
    const hints = readHints(text);
    return hints.length === 0
      ? { kind: 'failed', why: 'invalid', message: 'the answer had no hints', durationMs }
      : { kind: 'hints', hints, durationMs };
  }
  return { kind: 'draft', raw: text, outcome: await outcomeOf(options, work, text), durationMs };
}

async function outcomeOf(options: PlannerOptions, work: PlannerWork, raw: string): Promise<DraftOutcome> {
  const { facts, findSecret, experience } = options;
  const { planning, workspace } = work;
  const tools = await toolsFor(options, work);
  const read = await assessDraft(raw, {
    goal: planning.goal,
    shell: shellOf(work),
    facts: facts(workspace),
    findSecret,
    allowedActions: actionsWith(tools),
    tools,
    place: { workspace, cwd: workspace },
  });
  if (read.is === 'unreadable') return read;
  const how = work.call === 'repair' ? ['written again by the model', ...read.how] : read.how;
  const assessed = { ...read, how };
  if (assessed.is === 'rejected') return { ...assessed, ...rejectedDiff(work, raw) };
  if (assessed.is !== 'accepted') return assessed;
  const { plan, warnings, summary, reflection } = assessed;
  const proposal: Proposal = {
    summary,
    reflection,
    confidence: confidenceOf({ planning, how, warnings, steps: plan.steps }),
    ...(await estimate(experience, plan)),
    warnings,
    ...diffOf(work, plan),
  };
  return { is: 'plan', plan, proposal, how };
}

/** What each step took before, and their sum: null unless most of them are known. */
async function estimate(
  experience: Experience,
  { steps }: Plan,
): Promise<Pick<Proposal, 'estimateMs' | 'took'>> {
  const known = await experience.durations(steps.map(({ action }) => printAction(action)));
  const took = Object.fromEntries(
    steps.flatMap(({ id }, at) => (known[at] == null ? [] : [[id, known[at]] as const])),
  );
  const durations = Object.values(took);
  if (durations.length === 0) return { estimateMs: null };
  const sum = durations.reduce((total, each) => total + each, 0);
  const isMost = durations.length * 2 >= steps.length;
  return { estimateMs: isMost ? Math.round((sum * steps.length) / durations.length) : null, took };
}

/** What cannot be read as a plan has no difference to another. */
function rejectedDiff(work: PlannerWork, raw: string): { diff?: string } {
  const read = readDraft(raw, { goal: work.planning.goal, shell: shellOf(work) });
  return read.is === 'draft' ? diffOf(work, read.plan) : {};
}

const MAX_DIFF = 8000;

/** What changed since the draft before, where that can be read at all. */
function diffOf(work: PlannerWork, plan: Plan): { diff?: string } {
  const last = work.planning.drafts.findLast(({ status }) => status === 'rejected' || status === 'proposed');
  if (last === undefined) return {};
  const read = readDraft(last.raw, { goal: plan.goal, shell: plan.shell });
  if (read.is !== 'draft') return {};
  const diff = renderPlanDiff(read.plan, plan).slice(0, MAX_DIFF);
  return diff === '' ? {} : { diff };
}
