import { z } from 'zod';
import { Action } from '../action.ts';
import { Plan, PlanChange, Shell } from '../plan.ts';
import { Verdict } from '../verdict.ts';

/** The text of a plan file (YAML or JSON) or of a Markdown runbook. `name` is shown where a line is pointed at. */
export const PlanText = z.strictObject({
  text: z.string().max(1_000_000),
  kind: z.enum(['plan', 'runbook']),
  name: z.string().max(500).optional(),
  /** Of a runbook: the heading or block to take. */
  only: z.string().optional(),
});
export type PlanText = z.infer<typeof PlanText>;

/** Something wrong with a plan: what, where, and how to mend it. Lines and columns count from 1. */
export const Problem = z.strictObject({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  step: z.string().optional(),
  source: z.strictObject({ file: z.string(), line: z.int(), col: z.int() }).optional(),
  mend: z.string(),
});
export type PlanProblem = z.infer<typeof Problem>;

export const ValidatePlan = z.strictObject({
  ...PlanText.shape,
  workspace: z.string().startsWith('/').optional(),
  /** The run whose plan it is to become: the answer has the patch for that. */
  run: z.string().optional(),
});
/** Of a runbook: the headings that it can be run by. */
const parts = z.array(z.string()).optional();
/** `problems` of a plan that is fit are warnings. */
export const Validated = z.union([
  z.strictObject({
    ok: z.literal(true),
    plan: Plan,
    problems: z.array(Problem),
    patch: z.array(PlanChange).optional(),
    parts,
  }),
  z.strictObject({ ok: z.literal(false), problems: z.array(Problem), parts }),
]);
export type Validated = z.infer<typeof Validated>;

/** Null where there is neither a plan nor a draft. */
export const PlanFile = z.strictObject({ text: z.string().nullable() });

/** A folder as somebody types it: which one that is, or why it is none, and those that it may become. */
export const FolderQuery = z.strictObject({ path: z.string().max(4096) });
export const TypedFolder = z.strictObject({
  /** Its real path; null where there is no such folder. */
  folder: z.string().nullable(),
  /** A sentence: why not. */
  message: z.string().nullable(),
  like: z.array(z.string()),
});
export type TypedFolder = z.infer<typeof TypedFolder>;

/** Plans that come with the program, as the text of their files. */
export const TemplateList = z.strictObject({
  templates: z.array(z.strictObject({ name: z.string(), about: z.string(), text: z.string() })),
});
export type TemplateList = z.infer<typeof TemplateList>;

/** An action as one line, for editing, and back. */
export const PrintActions = z.strictObject({ actions: z.array(Action).max(5000) });
export const PrintedActions = z.strictObject({ lines: z.array(z.string()) });
export const ParseAction = z.strictObject({ line: z.string().max(100_000) });
export const ParsedLine = z.union([
  z.strictObject({ ok: z.literal(true), action: Action }),
  z.strictObject({ ok: z.literal(false), message: z.string() }),
]);

export const ExplainRisk = z.strictObject({
  command: z.string().min(1).max(100_000),
  shell: Shell.optional(),
  workspace: z.string().startsWith('/').optional(),
  cwd: z.string().startsWith('/').optional(),
});
const word = { text: z.string(), means: z.string() };
export const Explained = z.strictObject({
  verdict: Verdict,
  /** What it does, word by word where that is known. */
  explanation: z.strictObject({
    summary: z.string(),
    commands: z.array(
      z.strictObject({
        text: z.string(),
        name: z.string(),
        does: z.string(),
        known: z.boolean(),
        words: z.array(z.strictObject({ ...word, known: z.boolean() })),
        redirections: z.array(z.strictObject(word)),
        joined: z.enum(['first', 'then', 'and', 'or', 'pipe', 'inside']),
      }),
    ),
  }),
});
export type Explained = z.infer<typeof Explained>;
