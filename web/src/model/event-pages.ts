export const perPage = 200;

/** The pages of the journal that rows in sight lie on, of the first `unknown` events, which are not there yet. */
export const pagesOf = (rows: readonly { index: number }[], unknown: number): number[] => [
  ...new Set(rows.filter(({ index }) => index < unknown).map(({ index }) => Math.floor(index / perPage))),
];
