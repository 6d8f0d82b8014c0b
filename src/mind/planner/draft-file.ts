import type { RejectionReason, Shell } from '../../core/contract/index.ts';
import { toPlanFile } from '../../core/plan/file/index.ts';
import { oneLine } from './bound.ts';
import { readDraft } from './read/draft.ts';
import { findEnvelope } from './read/envelope.ts';

export interface DraftFileOptions {
  goal: string;
  shell: Shell;
}

/** A rejected draft as a plan file for a person to mend: its problems stand above it as comments. */
export function draftFile(
  raw: string,
  problems: readonly RejectionReason[],
  { goal, shell }: DraftFileOptions,
): string {
  const comments = problems.map(({ message, hint }) => `# - ${oneLine(`${message} ${hint}`, 300)}`);
  const head = [
    '# This draft did not pass. Mend it, and take these lines out or leave them:',
    ...comments,
    '',
  ];
  const read = readDraft(raw, { goal, shell });
  const body = read.is === 'draft' ? toPlanFile(read.plan) : asWritten(raw, goal);
  return `${head.join('\n')}${body}`;
}

/** What cannot be made a plan is given back as it can be: its items as text, to be rewritten by hand. */
function asWritten(raw: string, goal: string): string {
  const found = findEnvelope(raw);
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
