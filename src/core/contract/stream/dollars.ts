/** Cents where they say enough, as many digits as it takes where they do not. */
export const dollars = (usd: number): string =>
  usd === 0 || usd >= 0.01 ? `$${usd.toFixed(2)}` : `$${usd.toPrecision(2)}`;
