import { z } from 'zod';
import { Config, type ConfigKey, PartialConfig } from '../config.ts';
import { ModelRole } from '../models.ts';
import { Role, Scope } from '../stream/actor.ts';

export const WorkspaceQuery = z.strictObject({ workspace: z.string().startsWith('/').optional() });

const Sources = z.record(
  z.string(),
  z.enum(['flag', 'environment', 'workspace', 'user', 'default']),
) as unknown as z.ZodType<Record<ConfigKey, 'flag' | 'environment' | 'workspace' | 'user' | 'default'>>;

/** What a setting takes: one of a few words, a number between two (null: as small, as large as one likes), or a text. */
export const ConfigField = z.strictObject({
  about: z.string(),
  choices: z.array(z.string()).nullable(),
  number: z
    .strictObject({ least: z.number().nullable(), most: z.number().nullable(), whole: z.boolean() })
    .nullable(),
  /** It may have no value at all. */
  nullable: z.boolean(),
});
export type ConfigField = z.infer<typeof ConfigField>;

/** Every setting with where its value comes from, what it means and what it takes. */
export const ConfigView = z.strictObject({
  values: Config,
  sources: Sources,
  fields: z.record(z.string(), ConfigField) as unknown as z.ZodType<Record<ConfigKey, ConfigField>>,
  /** The file of the workspace that is not used until the folder is trusted. */
  untrusted: z.string().nullable(),
  /** The folder that the server was started in. */
  workspace: z.string(),
  /** Where the server is: runs of other places are looked at here, and go on there. */
  host: z.string(),
});
export type ConfigView = z.infer<typeof ConfigView>;

/** Written into the user's file; a key in `unset` is taken out of it. */
export const ChangeConfig = z.strictObject({
  set: PartialConfig.optional(),
  unset: z.array(z.string()).optional(),
});
export type ChangeConfig = z.infer<typeof ChangeConfig>;

/** Which models would answer, in the order in which they are tried, and whether each could; and who could be asked at all. */
export const ModelsView = z.strictObject({
  providers: z.array(
    z.strictObject({
      provider: z.string(),
      /** Empty where it is not said yet. */
      host: z.string(),
      isUsable: z.boolean(),
      /** Why it is usable, or what is missing. Never a key. */
      why: z.string(),
    }),
  ),
  roles: z.array(
    z.strictObject({
      role: ModelRole,
      chain: z.array(
        z.strictObject({
          provider: z.string(),
          model: z.string(),
          available: z.boolean(),
          /** Why it is not, or where its key comes from. */
          detail: z.string(),
        }),
      ),
    }),
  ),
});
/** Keeps the key of a provider for the host that it has now; null forgets it. It is never shown again. */
export const ModelKey = z.strictObject({
  provider: z.string().min(1).max(100),
  key: z.string().trim().min(1).max(4096).nullable(),
});

export type ModelsView = z.infer<typeof ModelsView>;

export const TestModel = z.strictObject({
  role: ModelRole.optional(),
  provider: z.string().optional(),
  model: z.string().optional(),
});
export const TestedModel = z.strictObject({
  ok: z.boolean(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  /** A sentence: what it answered, or what to put right. */
  message: z.string(),
  durationMs: z.number().nullable(),
});
export type TestedModel = z.infer<typeof TestedModel>;

/** A fix that led to success, and how often since. */
export const Remembered = z.strictObject({
  id: z.string(),
  /** What failed, in general words. */
  failure: z.string(),
  /** What mended it. */
  fix: z.string(),
  successes: z.int(),
  failures: z.int(),
  workspace: z.string().nullable(),
});
export type Remembered = z.infer<typeof Remembered>;
export const MemoryView = z.strictObject({ fixes: z.array(Remembered) });

export const RuleView = z.looseObject({
  id: z.string(),
  effect: z.enum(['allow', 'ask', 'deny']),
  origin: z.enum(['user', 'project', 'local', 'flags']),
  /** The rule as a sentence. */
  sentence: z.string(),
  expires: z.number().optional(),
  scope: z.string().nullable(),
});
export type RuleView = z.infer<typeof RuleView>;

/** `text` is the user's file as it stands; `file` where it lies. */
export const RulesView = z.strictObject({
  rules: z.array(RuleView),
  file: z.string(),
  text: z.string(),
});
export type RulesView = z.infer<typeof RulesView>;
/** The user's whole file. Refused where one rule in it is wrong. */
export const ReplaceRules = z.strictObject({ text: z.string().max(500_000) });
/** "Always allow here": the narrowest rule for an approval that a run or a conversation, `stream`, asks for. */
export const AllowHere = z.strictObject({ stream: z.string(), approvalId: z.string() });
export const AllowedHere = z.strictObject({ sentence: z.string() });

export const TrustView = z.strictObject({ folders: z.array(z.string()) });
export const ChangeTrust = z.strictObject({ folder: z.string().startsWith('/'), trusted: z.boolean() });

/** An address that opens the page once, soon: fit to be an argument of a browser, which others can see. */
export const NewAddress = z.strictObject({ address: z.string() });

export const WhoAmI = z.strictObject({ person: z.string(), scope: Scope, role: Role });
export type WhoAmI = z.infer<typeof WhoAmI>;

export const Health = z.strictObject({ ok: z.boolean(), version: z.string() });
export const Readiness = z.strictObject({
  ok: z.boolean(),
  checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), detail: z.string() })),
});
