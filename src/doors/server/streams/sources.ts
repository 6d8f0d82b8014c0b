import type { RowChange } from '../../../core/contract/index.ts';
import type { App } from '../../app/app.ts';
import type { Expand, Views } from '../views.ts';
import { dataMessage, type EventSource, namedMessage, passingMessage } from './stream.ts';

/** Events of one run. A batch is small: it is all that a reader that does not read keeps from being freed. */
const eventBatch = 64;
const appendBatch = 500;

/** What a reader at a place is told next, and where it is then. */
interface Told {
  text: string;
  seq: number;
}

/** Sources of events of streams. Readers that are at the same place at the same time share the work of one. */
export function createSources(
  app: App,
  views: Views,
): (id: string, after: number, expand?: Expand) => EventSource {
  const underWay = new Map<string, Promise<Told>>();
  const read = async (id: string, seq: number, expand: Expand): Promise<Told> => {
    const events = await app.streams.read(id, seq, eventBatch);
    if (events.length === 0) return { text: '', seq };
    const hidden = await views.hide(id, events, expand);
    const text = hidden.map((numbered) => dataMessage(numbered.seq, numbered)).join('');
    return { text, seq: events.at(-1)!.seq };
  };
  const share = (id: string, seq: number, expand: Expand): Promise<Told> => {
    const place = `${seq} ${id} ${expand ?? ''}`;
    const told = underWay.get(place) ?? read(id, seq, expand).finally(() => underWay.delete(place));
    underWay.set(place, told);
    return told;
  };
  return (id, after, expand) => {
    let seq = after;
    return {
      async next() {
        const told = await share(id, seq, expand);
        seq = told.seq;
        return told.text;
      },
      changed: (signal) => app.streams.changed(id, seq, signal),
    };
  };
}

/** Rows as they change. The first message says where the stream begins, so that a reader can come back there. */
export function rowsSource(app: App, views: Views, after: string | null): EventSource {
  let cursor: string | null = null;
  return {
    async next() {
      if (cursor === null) {
        cursor = await app.streams.cursor(after ?? undefined);
        return namedMessage('begin', cursor, { cursor });
      }
      const from = cursor;
      const changed = await rowsSince(app, views, from);
      cursor = changed.cursor;
      // All but the last carry the place where the batch began: whoever is cut off in between is told them again.
      return changed.rows
        .map((row, at) => {
          const place = at === changed.rows.length - 1 ? changed.cursor : from;
          return dataMessage(place, { cursor: place, row } satisfies RowChange);
        })
        .join('');
    },
    changed: (signal) => app.streams.changedAny(cursor ?? '', signal),
  };
}

type Row = RowChange['row'];
/** Kinds that are listed. */
const listed: ReadonlySet<string> = new Set<Row['kind']>([
  ...(['run', 'chat', 'project', 'task', 'agent-run', 'schedule', 'guard'] as const),
]);

async function rowsSince(app: App, views: Views, from: string): Promise<{ cursor: string; rows: Row[] }> {
  const { cursor, streams } = await app.streams.changedSince(from, appendBatch);
  const rows = await Promise.all(streams.map((stream) => app.streams.row<Row>(stream)));
  return {
    cursor,
    rows: await views.rows(rows.filter((row) => row !== null && listed.has(row.kind)) as Row[]),
  };
}

/** A run with, by the same connection, the rows of all that is listed from now on. */
export function withRows(run: EventSource, app: App, views: Views): EventSource {
  let cursor: string | null = null;
  const rows = async (): Promise<string> => {
    if (cursor === null) {
      cursor = await app.streams.cursor();
      return '';
    }
    const changed = await rowsSince(app, views, cursor);
    cursor = changed.cursor;
    return changed.rows
      .map((row) => passingMessage('row', { cursor: changed.cursor, row } satisfies RowChange))
      .join('');
  };
  return {
    async next() {
      // Rows first: whatever is written to the run after this moves the cursor, and `changed` tells.
      const told = await rows();
      return (await run.next()) + told;
    },
    changed: (signal) => app.streams.changedAny(cursor ?? '', signal),
  };
}
