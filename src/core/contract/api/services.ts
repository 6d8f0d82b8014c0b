import { z } from 'zod';

/** A service that a run started and that nobody has ended. Its log is the output of that attempt of its step. */
export const ServiceView = z.strictObject({
  run: z.string(),
  name: z.string(),
  stepId: z.string(),
  attemptIndex: z.int(),
  workspace: z.string(),
  goal: z.string(),
  command: z.string(),
  /** It is not ended with its run. */
  keep: z.boolean(),
  /** Null: it is on another host. */
  alive: z.boolean().nullable(),
  runEnded: z.boolean(),
  /** The ports that it listens on, where that can be seen. */
  ports: z.array(z.int()),
  /** When its step was begun. */
  since: z.number().nullable(),
});
export type ServiceView = z.infer<typeof ServiceView>;

export const ServicesQuery = z.strictObject({ workspace: z.string().optional() });
export const Services = z.strictObject({ services: z.array(ServiceView) });
