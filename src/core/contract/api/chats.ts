import { z } from 'zod';
import type { LeanChat } from '../chat/lean.ts';
import { ChatRow } from '../chat/project.ts';
import type { Turn } from '../chat/state.ts';
import { ModelName } from '../models.ts';
import { OnFailure } from '../options.ts';
import { Mode } from '../plan.ts';
import { MAX_PICTURE_BYTES, Picture } from '../result.ts';

export const CreateChat = z.strictObject({
  /** Left out: the server's own. */
  workspace: z.string().min(1).optional(),
  mode: Mode.optional(),
  planning: z.enum(['auto', 'always', 'never']).optional(),
  /** What its plans do when a step fails. */
  onFailure: OnFailure.optional(),
  model: ModelName.optional(),
  money: z.number().min(0).optional(),
  /** The run that it is about. */
  about: z.string().min(1).optional(),
  /** The same key twice makes one conversation. */
  key: z.string().min(1).optional(),
});
export const CreatedChat = z.strictObject({ id: z.string() });

/** A conversation for whoever only looks: `fullChat` makes a `ChatState` of its last turns, to be folded on. */
export const ChatLook = z.strictObject({
  id: z.string(),
  seq: z.int().min(0),
  row: ChatRow,
  state: z.looseObject({ past: z.array(z.looseObject({})) }) as unknown as z.ZodType<LeanChat>,
});
export type ChatLook = z.infer<typeof ChatLook>;

/** A picture for a message that is sent next, its bytes in base 64. */
export const KeepPicture = z.strictObject({
  name: z.string().min(1).max(200),
  data: z.base64().max(Math.ceil(MAX_PICTURE_BYTES / 3) * 4),
});
export { Picture as KeptPicture };

/** Turns from this number on; `whole`: with all that their calls came to. */
export const TurnsQuery = z.strictObject({
  from: z.coerce.number<number | string>().int().min(1).default(1),
  limit: z.coerce.number<number | string>().int().min(1).max(100).default(20),
  whole: z.enum(['true', 'false']).optional(),
});
export const TurnPage = z.strictObject({
  turns: z.array(z.looseObject({ n: z.int() }) as unknown as z.ZodType<Turn>),
});

/** Files and folders whose path begins so, from the workspace. */
export const FilesQuery = z.strictObject({
  workspace: z.string().min(1).max(4096),
  path: z.string().max(4096).default(''),
});
export const FilesLike = z.strictObject({ paths: z.array(z.string()) });
