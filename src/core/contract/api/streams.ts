import { z } from 'zod';
import { StreamRow } from '../stream/row.ts';
import { AskOfRun, EventPage, RunStreamQuery, RunsFilter, RunView } from './runs.ts';

/** Of every kind alike; a kind's own rows have more. */
const AnyRow = z.looseObject(StreamRow.shape);
const AnyEvent = z.looseObject({ v: z.int(), type: z.string(), at: z.number() });

export const StreamsFilter = z.strictObject({
  kind: z.string().max(100).optional(),
  /** Several are given as one text, with commas between them. */
  state: z.string().max(500).optional(),
  ...RunsFilter.pick({ limit: true, cursor: true }).shape,
});
export const StreamPage = z.strictObject({ streams: z.array(AnyRow), next: z.string().nullable() });
/** `state` is as `evolve` of its kind makes it; secrets are hidden. */
export const StreamView = RunView.extend({ row: AnyRow, state: z.looseObject({}) });
export const AskOfStream = AskOfRun.extend({ request: z.looseObject({ type: z.string() }) });
export const NumberedAnyEvent = z.strictObject({ seq: z.int().positive(), event: AnyEvent });
export const AnyEventPage = EventPage.extend({ events: z.array(NumberedAnyEvent) });
export const FollowQuery = RunStreamQuery.pick({ after: true });
