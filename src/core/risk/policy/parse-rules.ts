import { z } from 'zod';
import { canonical, sha256Hex } from '../../contract/index.ts';
import { type PolicyRule, RecordedRisk, type RuleOrigin, WrittenRule } from './rule.ts';

export interface RuleSource {
  origin: RuleOrigin;
  /** For messages. */
  file: string;
  /** The folder that a project's or a local file belongs to; its rules are for nothing else. */
  workspace: string | null;
}

export interface RuleProblem {
  file: string;
  /** `rules[2].efect` */
  at: string;
  /** A sentence that says what to do. */
  message: string;
}

export type ParsedRules = { ok: true; rules: PolicyRule[] } | { ok: false; problems: RuleProblem[] };

const RuleFile = z.strictObject({ version: z.literal(1).optional(), rules: z.array(WrittenRule) });
const ruleKeys = Object.keys(WrittenRule.shape);
const riskKeys = Object.keys(RecordedRisk.shape);

/**
 * Reads the content of a rules file, already decoded from YAML or JSON. An empty file has no rules. One mistake
 * refuses the whole file: a deny rule that is silently left out would be worse than none. Never throws.
 */
export function parseRules(data: unknown, source: RuleSource): ParsedRules {
  const parsed = RuleFile.safeParse(data ?? { rules: [] });
  if (!parsed.success) {
    // A key that nobody knows explains the one that is missing.
    const isUnknown = ({ code }: z.core.$ZodIssue): boolean => code === 'unrecognized_keys';
    const issues = parsed.error.issues.toSorted((a, b) => +isUnknown(b) - +isUnknown(a));
    return { ok: false, problems: issues.flatMap((issue) => problemsOf(issue, source.file)) };
  }
  const rules = parsed.data.rules.map((written) => placed(written, source));
  const seen = new Set<string>();
  const problems = rules.flatMap((rule, index): RuleProblem[] => {
    const at = `rules[${index}]`;
    if (seen.has(rule.id))
      return [{ file: source.file, at, message: `the id \`${rule.id}\` is taken: give each rule its own.` }];
    seen.add(rule.id);
    if (source.workspace === null || rule.scope === source.workspace || !isOfFolder(source.origin)) return [];
    const message = `\`scope\` is another folder; rules in this file are for ${source.workspace}: leave it out.`;
    return [{ file: source.file, at: `${at}.scope`, message }];
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, rules };
}

const isOfFolder = (origin: RuleOrigin): boolean => origin === 'project' || origin === 'local';

function placed(written: WrittenRule, source: RuleSource): PolicyRule {
  const { id, scope, createdAt, by, ...rest } = written;
  return {
    ...rest,
    id: id ?? ruleId(written),
    scope: scope === undefined && isOfFolder(source.origin) ? source.workspace : (scope ?? null),
    createdAt: createdAt ?? null,
    by: by ?? null,
    origin: source.origin,
  };
}

/** The same rule always has the same id. */
export const ruleId = (rule: Omit<WrittenRule, 'id'>): string =>
  `${rule.effect}-${sha256Hex(canonical({ ...rule, id: undefined })).slice(0, 8)}`;

function problemsOf(issue: z.core.$ZodIssue, file: string): RuleProblem[] {
  const at = pathText(issue.path);
  if (issue.code === 'invalid_type' && at.replace('rules', '') === '')
    return [
      { file, at: 'rules', message: 'write `rules:` and below it a list of rules, or delete the file.' },
    ];
  if (issue.code !== 'unrecognized_keys') return [{ file, at, message: `${issue.message}.` }];
  const keys = issue.path.includes('risk')
    ? riskKeys
    : issue.path.length > 0
      ? ruleKeys
      : ['version', 'rules'];
  return issue.keys.map((key) => {
    const near = nearest(key, keys);
    const hint = near === null ? `Use one of: ${keys.join(', ')}.` : `Did you mean \`${near}\`?`;
    return { file, at: at === '' ? key : `${at}.${key}`, message: `there is no \`${key}\`. ${hint}` };
  });
}

const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

/** The key that differs least in its letters, where that is little enough to suggest it. */
function nearest(word: string, candidates: readonly string[]): string | null {
  const near = candidates
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return near && near.distance <= Math.max(1, Math.floor(word.length / 3)) ? near.candidate : null;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= Math.min(a.length, 64); i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
