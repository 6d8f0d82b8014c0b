/** The text, or its beginning and its end with what was left out between them said. Never longer than `most` + 60. */
export function bounded(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil(most * 0.7);
  const tail = most - head;
  return `${text.slice(0, head)}\n[… ${text.length - most} characters left out …]\n${text.slice(-tail)}`;
}

/** One line, cut at its end. */
export function oneLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
