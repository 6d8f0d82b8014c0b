import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { ensureWeb } from '../../scripts/build-web.ts';
import type { RunEvent } from '../../src/core/contract/index.ts';
import { runKind } from '../../src/core/run/index.ts';
import { kindsOf, type Store } from '../../src/core/stream/index.ts';
import { openStore } from '../../src/world/store/index.ts';
import { chromiumPath } from '../../test/web/browser.ts';
import type { Row } from '../row.ts';
import { type Serving, startServer } from '../server/serving.ts';

const driver = { pid: process.pid, host: 'bench', boot: 'bench' };

export interface BenchStage {
  browser: Browser;
  /** Where others write what the server shows. */
  store: Store<RunEvent>;
  home: string;
  /** The server that is up now. */
  serving(): Serving;
  /** Ends it and starts another one, which knows nothing yet. */
  anew(): Promise<Serving>;
}

/** A server in a process of its own, a browser, and a store beside them. Nothing is measured where there is no Chromium. */
export async function onStage(measure: (stage: BenchStage) => Promise<Row[]>): Promise<Row[]> {
  if (chromiumPath === null) return [];
  await ensureWeb();
  const home = mkdtempSync(join(tmpdir(), 'planwright-bench-'));
  const store = await openStore<RunEvent>({ kinds: kindsOf(runKind), dir: join(home, 'data'), driver });
  let serving = await startServer(home);
  const end = async () => {
    serving.child.kill('SIGTERM');
    await new Promise((resolve) => serving.child.once('close', resolve));
  };
  const anew = async () => {
    await end();
    serving = await startServer(home);
    return serving;
  };
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    return await measure({ browser, store, home, serving: () => serving, anew });
  } finally {
    await browser.close();
    await end();
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
}
