import { describe } from 'vitest';
import { claimsConformance } from './claims.ts';
import { cursorConformance } from './cursors.ts';
import { epochsConformance } from './epochs.ts';
import { listingConformance } from './listing.ts';
import { notesConformance } from './notes.ts';
import { outputConformance } from './output.ts';
import { passesConformance } from './passes.ts';
import { retentionConformance } from './retention.ts';
import { sealingConformance } from './sealing.ts';
import { searchConformance } from './search.ts';
import { snapshotsConformance } from './snapshots.ts';
import { streamsConformance } from './streams.ts';
import { waitingConformance } from './waiting.ts';
import { workersConformance } from './workers.ts';
import type { MakeWorld } from './world.ts';

const ports = [
  streamsConformance,
  epochsConformance,
  cursorConformance,
  waitingConformance,
  claimsConformance,
  listingConformance,
  searchConformance,
  notesConformance,
  snapshotsConformance,
  outputConformance,
  retentionConformance,
  sealingConformance,
  workersConformance,
  passesConformance,
];

/** What every store promises, port by port. `make` gives an empty one. */
export function storeConformance(name: string, make: MakeWorld): void {
  describe(`${name} keeps the promises of`, () => {
    for (const conformance of ports) conformance(make);
  });
}
