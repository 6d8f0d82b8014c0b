import type { Parcel, Place, RunState } from '../contract/index.ts';

/** Where the folder of a run comes from that any machine may take up. Failures are data. */
export interface SourcePort {
  /** Has the folder here, as the run left it. */
  take(
    state: RunState,
    signal: AbortSignal,
  ): Promise<{ ok: true; place: Place } | { ok: false; message: string }>;
  /** Keeps what the run has changed for other machines; null where there is nothing new. Left out: there are none. */
  carry?(state: RunState): Promise<{ ok: true; parcel: Parcel } | { ok: false; message: string } | null>;
}
