import type { Config, Driver, OnAsk, Place } from '../../../core/contract/index.ts';
import type { SecretFilter } from '../../../core/risk/secrets/index.ts';
import type { Performer } from '../../../core/run/index.ts';
import type { Output } from '../../../core/stream/index.ts';
import type { Models } from '../../../world/models/index.ts';
import type { Chats } from '../chats.ts';
import type { PerformedIn } from '../performer.ts';
import type { Env, Places } from '../places.ts';
import type { Sources } from '../sources.ts';
import type { AppStreams } from '../streams.ts';

/** What driving tasks and agent runs needs of the program. */
export interface TaskDriving {
  driver: Driver;
  config: Config;
  /** What an agent does where a person has to decide: it waits, unless somebody has said otherwise. */
  onAsk: OnAsk;
  places: Places;
  env: Env;
  output: Output;
  now(): number;
  filter(): SecretFilter;
  performing(state: PerformedIn, filter: () => SecretFilter): Promise<Performer>;
  models(): Promise<Models>;
  // biome-ignore lint/suspicious/noExplicitAny: its events are those of every kind.
  streams(): AppStreams<any>;
  sources: Sources;
  /** Whether what lives elsewhere may be taken up here. */
  mayTake(state: { place: Place; updatedAt: number }): boolean;
  chats(): Chats;
}
