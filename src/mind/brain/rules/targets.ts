/** The targets that a makefile names itself, in its order. */
export const targetsIn = (text: string): string[] =>
  [...text.matchAll(/^([\w./-]+(?:\s+[\w./-]+)*)\s*::?(?!=)/gm)]
    .flatMap((match) => match[1]!.split(/\s+/))
    .filter((name) => !name.startsWith('.'));
