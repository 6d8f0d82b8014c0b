import type { Page } from 'playwright-core';
import { eventually } from '../support/processes.ts';

/** The sentence in the header of a run, once it reads like this. */
export const sentence = (page: Page, text: string | RegExp) =>
  page.getByRole('main').getByRole('status').filter({ hasText: text }).first().waitFor();
export const dock = (page: Page) => page.getByTestId('dock');
export const step = (page: Page, title: string | RegExp) =>
  page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: title });

/** Waits for a title of the window; asked from outside, because the page allows no evaluated script. */
export const titled = (page: Page, title: RegExp) =>
  eventually(async () => title.test(await page.title()), `the title ${title}`);
