import type { Page } from 'playwright-core';

/** The sentence in the header of a run, once it reads like this. */
export const sentence = (page: Page, text: string | RegExp) =>
  page.getByRole('main').getByRole('status').filter({ hasText: text }).first().waitFor();
export const dock = (page: Page) => page.getByTestId('dock');
export const step = (page: Page, title: string | RegExp) =>
  page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: title });
