/** Every word is in the text somewhere, whatever its case. */
export function matches(text: string, query: string): boolean {
  const where = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word));
}
