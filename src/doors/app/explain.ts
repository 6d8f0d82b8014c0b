import {
  type Correction,
  committed,
  defaultOptions,
  itemAt,
  noSpending,
  type RunState,
  type Spending,
  type Step,
} from '../../core/contract/index.ts';
import { printAction } from '../../core/plan/index.ts';
import type { SecretFilter } from '../../core/risk/secrets/index.ts';
import { createLedger, type StreamLedger } from '../../core/stream/index.ts';
import { explainWith, type InWords, type ToExplain } from '../../mind/brain/index.ts';
import type { Models } from '../../world/models/index.ts';
import type { Chapter } from './chapters.ts';

/** What a person may have explained in a model's words. */
export type Explainable =
  | { what: 'step'; stepId: string }
  | { what: 'failure'; stepId: string; proposed: Correction | null }
  | { what: 'story'; chapters: readonly Chapter[] };

/** Explanations are a courtesy: they may cost this much for one run in one session, and not more. */
const most = { money: 0.05, tokens: 50_000 };
const patienceMs = 30_000;

export interface ExplainerOptions {
  filterFor(state: RunState): SecretFilter;
  models(): Promise<Models>;
}

/**
 * Asks the fast model. Nobody drives the run meanwhile, so its journal does not know of these calls: they have a small
 * limit of their own, and what is left of the run's where it is not over. Never throws.
 */
export function createExplainer({ filterFor, models }: ExplainerOptions) {
  const ledgers = new Map<string, StreamLedger>();
  return async (run: string, state: RunState, about: Explainable, signal: AbortSignal): Promise<InWords> => {
    const ledger = ledgers.get(run) ?? createLedger({ record: async () => true, ...purseOf(state) });
    ledgers.set(run, ledger);
    const filter = filterFor(state);
    const within = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    // A wait between two tries must not end the program.
    const awake = setInterval(() => {}, patienceMs);
    try {
      const chain = (await models()).forRole('fast');
      return await explainWith(chain, toExplain(state, about), { ledger, signal: within }, (text) =>
        filter.text(text),
      );
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) };
    } finally {
      clearInterval(awake);
    }
  };
}

function purseOf({ ended, spending, options }: RunState): {
  spending: Spending;
  limits: typeof most;
} {
  if (ended) return { spending: noSpending, limits: most };
  const { money, tokens } = (options ?? defaultOptions).limits;
  const spent = committed(spending);
  return {
    spending,
    limits: {
      money: Math.min(money, spent.usd + most.money),
      tokens: Math.min(tokens, spent.unpricedTokens + most.tokens),
    },
  };
}

function toExplain(state: RunState, about: Explainable): ToExplain {
  const goal = ['goal', state.plan?.goal ?? ''] as const;
  if (about.what === 'story') return { what: 'story', parts: [goal, ...about.chapters.map(chapterPart)] };
  const at = state.plan?.steps.findIndex(({ id }) => id === about.stepId) ?? -1;
  const step = state.plan?.steps[at];
  const before = state.plan?.steps.slice(Math.max(0, at - 5), Math.max(0, at)) ?? [];
  const parts: ToExplain['parts'] = [
    goal,
    ['steps-before', before.map(({ action }) => printAction(action)).join('\n')],
    ['step', step === undefined ? '' : inLines(step)],
  ];
  if (about.what === 'step') return { what: 'step', parts };
  const { result } = itemAt(state.steps, at) ?? {};
  return {
    what: 'failure',
    parts: [
      ...parts,
      ['exit-code', String(result?.exitCode ?? 'none')],
      ['stderr', (result?.stderrTail ?? '').slice(-3000)],
      ['stdout', (result?.stdoutTail ?? '').slice(-1500)],
      ['what-a-rule-proposes', about.proposed === null ? '' : about.proposed.reasoning],
    ],
  };
}

const inLines = ({ title, action, why = '', expects = '' }: Step): string =>
  [title, printAction(action), why, expects].filter(Boolean).join('\n');

const chapterPart = ({
  title,
  failure,
  correction,
  outcome,
  reason,
  unanswered,
}: Chapter): [string, string] => [
  'failure',
  [
    title,
    `failed: ${failure.why} ${failure.message}`,
    failure.said.slice(-800),
    correction === null
      ? `no correction: ${unanswered ?? ''}`
      : `correction (${correction.action}): ${correction.reasoning}`,
    `outcome: ${outcome} ${reason ?? ''}`,
  ].join('\n'),
];
