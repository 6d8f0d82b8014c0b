import type { Plan } from '../../contract/index.ts';
import { parsePlanFile } from '../file/parse.ts';
import type { Problem } from '../problem.ts';

/** A plan file with inputs that a goal in words can be matched with. Its first comments say what it is for. */
export interface Template {
  name: string;
  /** One sentence, from the first comment of the file. */
  about: string;
  keywords: readonly string[];
  plan: Plan;
}

export type ReadTemplate = { ok: true; template: Template } | { ok: false; problems: Problem[] };

const KEYWORDS = /^keywords:\s*/i;

/**
 * Reads a template: an ordinary plan file that begins with comments. The first says what it does, one that begins with
 * `keywords:` lists other words for it.
 */
export function parseTemplate(name: string, text: string, file: string): ReadTemplate {
  const parsed = parsePlanFile(text, { file });
  if (!parsed.ok) return parsed;
  const comments = headComments(text);
  const keywords = comments.find((line) => KEYWORDS.test(line))?.replace(KEYWORDS, '') ?? '';
  return {
    ok: true,
    template: {
      name,
      about: comments.find((line) => !KEYWORDS.test(line)) ?? parsed.plan.goal,
      keywords: keywords
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
      plan: parsed.plan,
    },
  };
}

function headComments(text: string): string[] {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('#') && line.trim() !== '');
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .filter((line) => line.startsWith('#'))
    .map((line) => line.replace(/^#+\s*/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('yaml-language-server:'));
}
