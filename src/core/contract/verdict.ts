import { z } from 'zod';

/** How risky an action is. Ordered: each level includes the worry of those before it. */
export const riskLevels = ['safe', 'caution', 'dangerous', 'blocked'] as const;
export const RiskLevel = z.enum(riskLevels);
export type RiskLevel = z.infer<typeof RiskLevel>;

/** Why, for a person: the rule that spoke, its sentence, and the part of the text that earned it. */
export const RiskReason = z.strictObject({
  rule: z.string(),
  level: RiskLevel,
  sentence: z.string(),
  /** Offsets into the judged text, end exclusive. */
  span: z.tuple([z.int().min(0), z.int().min(0)]).optional(),
});
export type RiskReason = z.infer<typeof RiskReason>;

/**
 * What a look at the world has against a step that is due: a sentence for people, and what the step would have said
 * if it had been tried.
 */
export const Warning = z.strictObject({
  message: z.string(),
  said: z.string(),
  exitCode: z.int(),
});
export type Warning = z.infer<typeof Warning>;

export const Verdict = z.strictObject({
  level: RiskLevel,
  reasons: z.array(RiskReason),
  /** False where no undo could bring back what it does. */
  reversible: z.boolean(),
  needs: z.array(z.enum(['network', 'privilege'])),
  /**
   * It asks others on the network for what it is to bring, and may try for long without one: for what its words name, or for
   * what the folder's manifest lists, which may all be near.
   */
  fetches: z.enum(['named', 'listed']).optional(),
  /** Paths that the action names or, once resolved, would touch. */
  paths: z.array(z.string()),
  /** Of what is dangerous: why `paths` are not all that it touches. Absent where they are. */
  unknownPaths: z.string().optional(),
});
export type Verdict = z.infer<typeof Verdict>;
