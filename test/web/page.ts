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

/**
 * Comes to another address as a link leads there: what is loaded stays, which is a tenth of the work. By way of an address
 * where there is nothing, so that nothing that is found afterwards is of the screen before.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  const push = (to: string) => page.evaluate(`history.pushState({}, '', ${JSON.stringify(to)})`);
  await push('/nothing-here');
  await page.getByText('There is nothing here').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await push(path);
}
