import type { RequestBody } from '../../core/contract/index.ts';
import type { App } from '../app/app.ts';
import { ownerAt } from '../app/asker.ts';
import type { RunScreen } from './screens/index.ts';

/** What the person at this terminal asks of one run: they are told where it is refused. */
export interface OwnRequests {
  send(body: RequestBody): Promise<void>;
  /** The view, which then also hears of refusals. */
  view: RunScreen;
  /** Whether the request at this place was refused. */
  wasRefused(seq: number | undefined): boolean;
}

export function ownRequests(
  app: App,
  id: string,
  shown: RunScreen,
  { first, tell }: { first: number | undefined; tell(sentence: string): void },
): OwnRequests {
  const asked = new Set(first === undefined ? [] : [first]);
  const refused = new Map<number, string>();
  const say = (seq: number) => {
    const message = refused.get(seq);
    if (message !== undefined && asked.has(seq)) tell(`Refused: ${message}.`);
  };
  return {
    async send(body) {
      const seq = await app.runs.request(id, body, { by: ownerAt('terminal') });
      asked.add(seq);
      // It may have been answered before we knew its place.
      say(seq);
    },
    view: {
      ...shown,
      event(stored, state) {
        shown.event(stored, state);
        if (stored.event.type !== 'request-refused') return;
        refused.set(stored.event.answers, stored.event.message);
        say(stored.event.answers);
      },
    },
    wasRefused: (seq) => seq !== undefined && refused.has(seq),
  };
}
