import { z } from 'zod';
import { readMcpName, SimpleAction } from '../../contract/index.ts';
import { instantOf } from './instant.ts';

/**
 * Where a path lies, as coarse as a person thinks of it. `relative` and `unknown`: as written, not resolved;
 * `unknown` where it depends on what is only known when it runs.
 */
export const PathClass = z.enum(['workspace', 'temporary', 'home', 'system', 'relative', 'unknown']);
export type PathClass = z.infer<typeof PathClass>;

/** What was known of the risk when a rule was made: it covers nothing beyond. */
export const RecordedRisk = z.strictObject({
  /** Ids of the risk rules that spoke. */
  rules: z.array(z.string()),
  paths: z.array(PathClass),
  needs: z.array(z.enum(['network', 'privilege'])),
});
export type RecordedRisk = z.infer<typeof RecordedRisk>;

const words = z.array(z.string().min(1)).min(1);
const kinds = SimpleAction.options.map((option) => option.shape.kind.value);
const instant = z
  .union([z.int().min(0), z.string()])
  .transform((given) => (typeof given === 'number' ? given : instantOf(given)))
  .pipe(z.number('must be a date such as 2027-01-31 or 2027-01-31T12:00:00Z'));

/** A rule as it stands in a file. What may be missing there gets its value from where the file lies. */
export const WrittenRule = z
  .strictObject({
    id: z.string().min(1).optional(),
    effect: z.enum(['allow', 'ask', 'deny']),
    /** The whole text, to the letter. Of an action that is no command: its canonical JSON. */
    command: z.string().min(1).optional(),
    /** The first words, to the letter; as one text it is split at blanks. */
    prefix: z
      .union([
        words,
        z
          .string()
          .trim()
          .min(1)
          .transform((text) => text.split(/\s+/)),
      ])
      .optional(),
    /** A tool of a server that is set up: `mcp__SERVER__TOOL`, whatever it is called with. */
    tool: z
      .string()
      .refine((name) => readMcpName(name) !== null, 'must be mcp__SERVER__TOOL')
      .optional(),
    action: z.enum(kinds).optional(),
    /** Patterns with `*`, `**` and `?`; relative ones lie in the workspace. */
    paths: z.array(z.string().min(1)).min(1).optional(),
    reason: z.string().optional(),
    expires: instant.optional(),
    /** The workspace it is for; null: all of them. */
    scope: z.string().startsWith('/').nullable().optional(),
    createdAt: instant.nullable().optional(),
    by: z.string().nullable().optional(),
    risk: RecordedRisk.optional(),
  })
  .check((context) => {
    const { effect, command, prefix, tool, action, paths } = context.value;
    const complain = (message: string): void => {
      context.issues.push({ code: 'custom', message, input: context.value });
    };
    if (command !== undefined && prefix) complain('has both `command` and `prefix`: keep one');
    if (tool !== undefined && (command !== undefined || prefix))
      complain('has `tool` and what commands are known by: keep one');
    if (command === undefined && !prefix && tool === undefined && action === undefined && !paths)
      complain('says nothing about what it is for: give `command`, `prefix`, `tool`, `action` or `paths`');
    if (effect === 'allow' && command === undefined && !prefix && tool === undefined)
      complain('would allow too much: an allow rule needs `command`, `prefix` or `tool`');
  });
export type WrittenRule = z.infer<typeof WrittenRule>;

/** Whose file a rule comes from. `flags`: given to this run alone (`--rules FILE`). */
export type RuleOrigin = 'user' | 'project' | 'local' | 'flags';

/** A rule of a person, as it is applied. Times are milliseconds since the epoch. */
export interface PolicyRule extends Omit<WrittenRule, 'id' | 'scope' | 'createdAt' | 'by'> {
  id: string;
  scope: string | null;
  createdAt: number | null;
  by: string | null;
  origin: RuleOrigin;
}
