import { nearest } from '../nearest.ts';

export interface Referable {
  id: string;
  title: string;
}

export type ResolvedReferences = { ok: true; id: string } | { ok: false; message: string; mend: string };

/** Finds the step that `after` names: by number from 1, by id, by title. Built once a plan. */
export function stepResolver(
  steps: readonly Referable[],
): (reference: string | number) => ResolvedReferences {
  const ids = new Set(steps.map((step) => step.id));
  const byTitle = new Map<string, string[]>();
  for (const step of steps) {
    const known = byTitle.get(step.title);
    if (known === undefined) byTitle.set(step.title, [step.id]);
    else known.push(step.id);
  }
  return (reference) => {
    const text = String(reference).trim();
    if (typeof reference === 'string') {
      if (ids.has(text)) return { ok: true, id: text };
      const titled = byTitle.get(text);
      if (titled?.length === 1) return { ok: true, id: titled[0]! };
      if (titled !== undefined) {
        const message = `\`after\` names "${text}", and ${titled.length} steps have that title.`;
        return { ok: false, message, mend: 'Use the number of the step.' };
      }
    }
    if (/^\d{1,6}$/.test(text)) {
      const step = steps[Number(text) - 1];
      if (step !== undefined) return { ok: true, id: step.id };
    }
    return {
      ok: false,
      message: `\`after\` names step ${quote(reference)}, which does not exist.`,
      mend: hint(text, steps),
    };
  };
}

const quote = (reference: string | number) =>
  typeof reference === 'number' ? String(reference) : JSON.stringify(reference.slice(0, 60));

function hint(text: string, steps: readonly Referable[]): string {
  if (/^\d+$/.test(text)) return `Steps are numbered from 1 to ${steps.length}.`;
  const near = nearest(
    text,
    steps.slice(0, 500).flatMap((step) => [step.title, step.id]),
  );
  return near === null ? `Steps are numbered from 1 to ${steps.length}.` : `Did you mean "${near}"?`;
}
