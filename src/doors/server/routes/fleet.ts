import type { StreamRow } from '../../../core/contract/index.ts';
import type { Desk, Handlers } from './handler.ts';

const MOST_CLAIMS = 200;
const MINUTE = 60_000;

/** Who drives, and what there is to do. */
export const fleetRoutes = ({ app, views }: Desk): Handlers<'getFleet'> => ({
  async getFleet() {
    const now = Date.now();
    const [workers, claims, recent, hour] = await Promise.all([
      app.workers.list(),
      app.workers.claims(MOST_CLAIMS),
      app.workers.workload({ now, since: now - 5 * MINUTE }),
      app.workers.workload({ now, since: now - 60 * MINUTE }),
    ]);
    const found = await Promise.all(claims.map(({ stream }) => app.streams.row<StreamRow>(stream)));
    const rows = await views.rows(found.filter((row) => row !== null));
    const titles = new Map(rows.map((row) => [row.id, app.streams.kinds.get(row.kind)?.titleOf(row) ?? '']));
    const { due, claimed } = recent;
    return {
      database: app.fleet?.where ?? null,
      workers,
      claims: claims.map((claim) => ({ ...claim, title: titles.get(claim.stream) ?? '' })),
      due,
      claimed,
      ended: { fiveMinutes: recent.ended, hour: hour.ended },
    };
  },
});
