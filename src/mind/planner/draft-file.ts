import type { Plan, RejectionReason, Shell } from '../../core/contract/index.ts';
import { toPlanFile } from '../../core/plan/index.ts';
import { oneLine } from './bound.ts';
import type { Extract } from './port.ts';
import { readDraft } from './read/draft.ts';
import { findEnvelope } from './read/envelope.ts';

export interface DraftFileOptions {
  goal: string;
  shell: Shell;
  extract: Extract;
}

/** A rejected draft as a plan file for a person to mend: its problems stand above it as comments. */
export function draftFile(
  raw: string,
  problems: readonly RejectionReason[],
  { goal, shell, extract }: DraftFileOptions,
): string {
  const comments = problems.map(({ message, hint }) => `# - ${oneLine(`${message} ${hint}`, 300)}`);
  const head = [
    '# This draft did not pass. Mend it, and take these lines out or leave them:',
    ...comments,
    '',
  ];
  const read = readDraft(raw, { goal, shell, extract });
  const body = read.is === 'draft' ? withoutSource(read.plan) : asWritten(raw, goal, extract);
  return `${head.join('\n')}${body}`;
}

const withoutSource = (plan: Plan) => toPlanFile(plan);

/** What cannot be made a plan is given back as it can be: its items as text, to be rewritten by hand. */
function asWritten(raw: string, goal: string, extract: Extract): string {
  const found = findEnvelope(raw, extract);
  const value = found.ok ? (found.value as { plan?: unknown } | null) : null;
  const items = Array.isArray(value?.plan) ? value.plan : [];
  const lines = items.flatMap((item: unknown) => itemLines(item));
  const plan = lines.length > 0 ? lines : ['  - step: "write a step here"', '    action: "RUN_COMMAND true"'];
  return [`goal: ${JSON.stringify(oneLine(goal, 500))}`, 'plan:', ...plan, ''].join('\n');
}

function itemLines(item: unknown): string[] {
  if (typeof item !== 'object' || item === null) return [];
  const { step, action, expects } = item as Record<string, unknown>;
  const text = (value: unknown) => JSON.stringify(oneLine(String(value), 2000));
  return [
    `  - step: ${text(step ?? 'untitled')}`,
    `    action: ${text(action ?? '')}`,
    ...(typeof expects === 'string' && expects !== '' ? [`    expects: ${text(expects)}`] : []),
  ];
}
