import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import type { Client } from '../../src/core/contract/index.ts';
import { chromiumPath } from './browser.ts';

/** How a page is looked at. `own`: with cookies, permissions or a screen of its own, which nobody else has. */
export interface Look {
  viewport?: { width: number; height: number };
  colorScheme?: 'dark' | 'light';
  own?: BrowserContextOptions;
}

/** Where pages come in. */
interface Door {
  url: string;
  client: Client;
}

/** The pages of a file of tests. */
export interface Pages {
  open(path: string, look?: Look): Promise<Page>;
  /** After a test: what it opened is closed, but for one page, which listens to nobody any more. */
  settle(): Promise<void>;
  /** Who has been let in is not any more. */
  forget(): void;
  close(): Promise<void>;
}

const usual = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' } as const;

/** One for all files that this process runs, and it ends with the process. */
let browser: Promise<Browser> | undefined;
const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath!,
    // For one that never comes: on a busy machine it takes its time.
    timeout: 300_000,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });

/**
 * A new page takes three times what another address in the same one does: a test gets the page of the one before it, and
 * comes to its address as somebody does who types it.
 */
export function openPages(door: () => Door): Pages {
  let shared: BrowserContext | undefined;
  /** Of the shared context; free unless it is among `used`. */
  let kept: Page | undefined;
  let used: Page[] = [];

  const newContext = async (options?: BrowserContextOptions) => {
    browser ??= launch();
    return (await browser).newContext({ viewport: usual.viewport, reducedMotion: 'reduce', ...options });
  };
  const newPage = async (context: BrowserContext) => {
    const page = await context.newPage();
    used.push(page);
    page.setDefaultTimeout(120_000);
    return page;
  };
  const come = async (page: Page, address: string) => {
    await page.goto(address);
    await page.getByRole('banner').waitFor();
  };
  const show = async (page: Page, { viewport, colorScheme }: Look) => {
    if (viewport !== undefined) await page.setViewportSize(viewport);
    if (colorScheme !== undefined) await page.emulateMedia({ colorScheme });
  };

  /** The page of the test before, with nothing of it left once it comes to another address; or a new one beside it. */
  const take = async (): Promise<Page> => {
    if (kept === undefined || kept.isClosed() || used.includes(kept)) return newPage(shared!);
    used.push(kept);
    await kept.evaluate(() => localStorage.clear());
    await show(kept, usual);
    return kept;
  };

  return {
    async open(path, look = {}) {
      const { own } = look;
      const isNew = own !== undefined || shared === undefined;
      const context = isNew ? await newContext(own) : shared!;
      if (own === undefined) shared = context;
      const page = isNew ? await newPage(context) : await take();
      if (own === undefined) kept ??= page;
      await show(page, look);
      const address = isNew ? (await door().client.newAddress()).address : null;
      // To be let in one need not be shown what is there.
      if (address !== null && path !== '/') await context.request.get(address);
      await come(page, address !== null && path === '/' ? address : door().url + path);
      return page;
    },
    async settle() {
      const ended = used;
      used = [];
      for (const page of ended) {
        if (page === kept) {
          page.removeAllListeners();
          await page.unrouteAll({ behavior: 'ignoreErrors' });
        } else if (page.context() === shared) await page.close();
        else await page.context().close();
      }
    },
    forget() {
      shared = undefined;
      kept = undefined;
    },
    async close() {
      await shared?.close();
    },
  };
}
