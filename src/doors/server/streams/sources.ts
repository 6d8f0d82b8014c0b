import type { RowChange } from '../../../core/contract/index.ts';
import type { App } from '../../app/index.ts';
import type { Views } from '../views.ts';
import { dataMessage, namedMessage, passingMessage, type Source } from './stream.ts';

/** Events of one run. A batch is small: it is all that a reader that does not read keeps from being freed. */
const eventBatch = 64;
const appendBatch = 500;

/** What a reader at a place is told next, and where it is then. */
interface Told {
  text: string;
  seq: number;
}

/** Sources of events of runs. Readers that are at the same place at the same time share the work of one. */
export function createRunSources(app: App, views: Views): (id: string, after: number) => Source {
  const underWay = new Map<string, Promise<Told>>();
  const read = async (id: string, seq: number): Promise<Told> => {
    const events = await app.store.read(id, seq, eventBatch);
    if (events.length === 0) return { text: '', seq };
    const hidden = await views.hide(id, events);
    const text = hidden.map((numbered) => dataMessage(numbered.seq, numbered)).join('');
    return { text, seq: events.at(-1)!.seq };
  };
  const share = (id: string, seq: number): Promise<Told> => {
    const place = `${seq} ${id}`;
    const told = underWay.get(place) ?? read(id, seq).finally(() => underWay.delete(place));
    underWay.set(place, told);
    return told;
  };
  return (id, after) => {
    let seq = after;
    return {
      async next() {
        const told = await share(id, seq);
        seq = told.seq;
        return told.text;
      },
      changed: (signal) => app.store.changed(id, seq, signal),
    };
  };
}

/** Rows as they change. The first message says where the stream begins, so that a reader can come back there. */
export function rowsSource(app: App, views: Views, after: number | null): Source {
  let pos = after;
  const start = async () => {
    const now = await app.store.position();
    pos = pos === null || pos > now ? now : pos;
    return namedMessage('begin', pos, { pos });
  };
  let isBegun = false;
  return {
    async next() {
      if (!isBegun) {
        isBegun = true;
        return start();
      }
      const from = pos!;
      const changed = await app.store.changedStreams(from, appendBatch);
      pos = changed.pos;
      const rows = await Promise.all(changed.streams.map((stream) => app.store.run(stream)));
      const told = rows.flatMap((row) => (row === null ? [] : [views.common.value(row)]));
      // All but the last carry the place where the batch began: whoever is cut off in between is told them again.
      return told
        .map((row, at) => {
          const place = at === told.length - 1 ? changed.pos : from;
          return dataMessage(place, { pos: place, row } satisfies RowChange);
        })
        .join('');
    },
    changed: (signal) => app.store.changedAny(pos ?? 0, signal),
  };
}

/** A run with, by the same connection, the rows of all runs from now on. */
export function withRows(run: Source, app: App, views: Views): Source {
  let pos: number | null = null;
  const rows = async (): Promise<string> => {
    if (pos === null) {
      pos = await app.store.position();
      return '';
    }
    const changed = await app.store.changedStreams(pos, appendBatch);
    pos = changed.pos;
    const told = await Promise.all(changed.streams.map((stream) => app.store.run(stream)));
    return told
      .flatMap((row) => (row === null ? [] : [views.common.value(row)]))
      .map((row) => passingMessage('row', { pos: changed.pos, row } satisfies RowChange))
      .join('');
  };
  return {
    async next() {
      // Rows first: whatever is written to the run after this moves the position, and `changed` tells.
      const told = await rows();
      return (await run.next()) + told;
    },
    changed: (signal) => app.store.changedAny(pos ?? 0, signal),
  };
}
