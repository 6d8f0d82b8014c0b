export interface ProsePart {
  text: string;
  /** It stood between backticks. */
  code: boolean;
}

/** A sentence that names commands and files between backticks, in parts. A backtick without its fellow is one. */
export function proseParts(text: string): ProsePart[] {
  const parts: ProsePart[] = [];
  let at = 0;
  for (const { 0: whole, 1: code = '', index } of text.matchAll(/`([^`\n]+)`/g)) {
    if (index > at) parts.push({ text: text.slice(at, index), code: false });
    parts.push({ text: code, code: true });
    at = index + whole.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), code: false });
  return parts;
}
