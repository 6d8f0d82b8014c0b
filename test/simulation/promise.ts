/** A promise of DESIGN.md was broken. The seed that breaks it is printed by whoever runs the world. */
export class BrokenPromise extends Error {}

/** The promises broken in the world under way. A driver may swallow the error: this list does not. */
export const broken: BrokenPromise[] = [];

export function promise(held: boolean, sentence: string): asserts held {
  if (held) return;
  const error = new BrokenPromise(sentence);
  broken.push(error);
  throw error;
}
