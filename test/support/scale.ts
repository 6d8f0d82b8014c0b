/**
 * How much is done of the same. At a desk enough to find what is plainly broken, with CI=true all of it; nothing is left
 * out at a desk: every suite and every kind of case runs, only fewer of each. TEST_SCALE=10 does ten times all of it.
 */
const scale = process.env['TEST_SCALE'];
export const isFullLength = process.env['CI'] === 'true' || scale !== undefined;

/** So many worlds, stories, mutants, kills. */
export const howMany = (full: number, atDesk: number): number =>
  isFullLength ? Math.ceil(full * Number(scale ?? 1)) : atDesk;

/** For a test that does so many in one: at full length, on a busy machine, it takes longer than any other may. */
export const lengthy = { timeout: isFullLength ? 2_400_000 : 600_000 };

/** So long a text. At a desk an eighth, where what is said of it does not hang on its length. */
export const howLong = (full: number): number => (isFullLength ? full : full / 8);

/** As many of these at a desk, from all over the list; otherwise all. */
export const someOf = <T>(all: readonly T[], atDesk: number): readonly T[] =>
  isFullLength || all.length <= atDesk
    ? all
    : Array.from({ length: atDesk }, (_, n) => all[Math.floor((n * all.length) / atDesk)]!);
