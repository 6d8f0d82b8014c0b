/** One step as the rolling context remembers it. */
export interface ContextEntry {
  readonly title: string;
  /** The action line. */
  readonly action: string;
  readonly outcome: 'succeeded' | 'failed' | 'skipped';
  readonly exitCode: number | null;
  /** The end of what it said; a few lines are kept. */
  readonly output: string;
  /** What was decided after a failure, in a sentence. */
  readonly correction?: string;
}

/** All of the context, as data: it can be stored, and restored by handing it to `createAgentContext`. */
export interface ContextState {
  /** Summaries of what came before the entries, oldest first. */
  readonly summaries: readonly string[];
  readonly entries: readonly ContextEntry[];
  readonly consecutiveFailures: number;
}

/** Makes one summary of entries, a model say. May reject: then the digest stands. */
export type Summarise = (entries: readonly ContextEntry[]) => Promise<string>;

/** The rolling memory of a run, for brains that need more than the failure itself. */
export interface AgentContext {
  /** At the tenth entry the oldest five become one summary; a model's is begun here and not waited for. */
  addStep(entry: ContextEntry): void;
  /** All of it in words. Waits for the summaries that are being made. Never rejects. */
  toContextString(): Promise<string>;
  readonly consecutiveFailures: number;
  /** As data, with the digest in the place of a summary that is not there yet. */
  readonly state: ContextState;
}

export const ENTRY_LIMIT = 10;
export const SUMMARY_BATCH = 5;
const OUTPUT_LINES = 8;
const OUTPUT_CHARACTERS = 800;

export function createAgentContext(
  options: { readonly summarise?: Summarise; readonly from?: ContextState } = {},
): AgentContext {
  let state: ContextState = options.from ?? { summaries: [], entries: [], consecutiveFailures: 0 };
  const pending = new Set<Promise<void>>();

  /** The digest stands at once; the model's words take its place when they come. */
  const fold = (entries: readonly ContextEntry[]): void => {
    const at = state.summaries.length;
    state = { ...state, summaries: [...state.summaries, digest(entries)] };
    if (options.summarise === undefined) return;
    const better = options.summarise(entries).then(
      (text) => {
        if (text.trim() !== '') state = { ...state, summaries: state.summaries.with(at, text.trim()) };
      },
      () => undefined,
    );
    pending.add(better);
    void better.then(() => pending.delete(better));
  };

  return {
    addStep(entry) {
      const failed = entry.outcome === 'failed';
      const entries = [...state.entries, { ...entry, output: lastLines(entry.output) }];
      state = { ...state, entries, consecutiveFailures: failed ? state.consecutiveFailures + 1 : 0 };
      if (entries.length < ENTRY_LIMIT) return;
      state = { ...state, entries: entries.slice(SUMMARY_BATCH) };
      fold(entries.slice(0, SUMMARY_BATCH));
    },
    async toContextString() {
      await Promise.all(pending);
      return render(state);
    },
    get consecutiveFailures() {
      return state.consecutiveFailures;
    },
    get state() {
      return state;
    },
  };
}

/** One sentence a step, without a model: what was done, how it ended, what was decided. Deterministic. */
export function digest(entries: readonly ContextEntry[]): string {
  return entries.map(sentence).join(' ');
}

function sentence({ title, outcome, exitCode, output, correction }: ContextEntry): string {
  const decided = correction === undefined ? '' : ` ${correction.replace(/\.*$/, '.')}`;
  if (outcome !== 'failed')
    return `"${title}" ${outcome === 'skipped' ? 'was skipped' : 'succeeded'}.${decided}`;
  const said = output.trim().split('\n').at(-1)?.trim().slice(0, 160) ?? '';
  const how = exitCode === null ? 'failed' : `failed with exit code ${exitCode}`;
  return `"${title}" ${how}${said === '' ? '' : ` (${said})`}.${decided}`;
}

function render({ summaries, entries, consecutiveFailures }: ContextState): string {
  const before = summaries.map((summary) => `Before: ${summary}`);
  const detailed = entries.map((entry) => {
    const lines = [`- ${entry.title}: ${entry.outcome}`, `  ${entry.action}`];
    if (entry.output !== '') lines.push(...entry.output.split('\n').map((line) => `  | ${line}`));
    if (entry.correction !== undefined) lines.push(`  Then: ${entry.correction}`);
    return lines.join('\n');
  });
  const streak = consecutiveFailures > 1 ? [`The last ${consecutiveFailures} attempts failed.`] : [];
  return [...before, ...detailed, ...streak].join('\n');
}

/** What is cut off is said. */
function lastLines(output: string): string {
  const lines = output.trimEnd().split('\n');
  const kept = lines.slice(-OUTPUT_LINES).join('\n').slice(-OUTPUT_CHARACTERS);
  return kept === output.trimEnd() ? kept : `[…]\n${kept}`;
}
