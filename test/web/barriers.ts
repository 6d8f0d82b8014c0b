import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { isFullLength } from '../support/scale.ts';

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe finds that keeps people out: nothing may be serious or critical. */
export async function barriers(page: Page): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  const found = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: Violation[];
  };
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    );
}

const small = { width: 390, height: 844 };
const tablet = { width: 820, height: 1180 };
const large = { width: 1280, height: 800 };
type Scheme = 'dark' | 'light';

/**
 * In which sizes the n-th screen is looked at in a colour scheme: in all; at a desk one screen dark and small, the next one
 * light, and large or between the two by turns.
 */
export const sizesOf = (scheme: Scheme, n: number): readonly { width: number; height: number }[] =>
  isFullLength
    ? [small, tablet, large]
    : (n % 2 === 0) !== (scheme === 'dark')
      ? []
      : scheme === 'dark'
        ? [small]
        : [n % 4 === 1 ? large : tablet];
