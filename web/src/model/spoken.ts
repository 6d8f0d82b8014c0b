/** Fields of an answer that are meant for people, the first that is there. */
const fields = ['reasoning', 'thinking_summary', 'reflection', 'goal'];

/**
 * What a model says, as far as it has come, for people: of an answer that is data, what it says in words; anything else
 * as it is. Never throws.
 */
export function spokenWords(text: string): string {
  if (!/^\s*(<json>|```(?:json)?|\{)/.test(text)) return text;
  for (const field of fields) {
    const found = text.match(new RegExp(`"${field}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`))?.[1];
    if (found) return unescaped(found);
  }
  return '';
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    // It was cut off in the middle of an escape.
    return text.replace(/\\$/, '');
  }
}
