/** By the id of a rule: commands that must earn it, and commands that must not. */
export type Examples = Readonly<
  Record<string, { readonly hits: readonly string[]; readonly misses: readonly string[] }>
>;
