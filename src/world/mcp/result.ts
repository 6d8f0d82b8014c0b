/** What a call came to, as a model reads it: texts, and of the rest what it is. */

const MAX_TEXT = 256 * 1024;

interface Part {
  readonly type?: unknown;
  readonly [key: string]: unknown;
}

export function resultText(result: { content?: unknown; structuredContent?: unknown }): string {
  const parts = Array.isArray(result.content) ? (result.content as Part[]) : [];
  const texts = parts.map(partText).filter((text) => text !== '');
  if (texts.length === 0 && result.structuredContent !== undefined)
    texts.push(JSON.stringify(result.structuredContent));
  const all = texts.join('\n');
  return all.length <= MAX_TEXT
    ? all
    : `${all.slice(0, MAX_TEXT)}\n… and ${all.length - MAX_TEXT} characters more`;
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return String(part['text'] ?? '');
    case 'image':
    case 'audio':
      return `(${part.type}, ${String(part['mimeType'] ?? 'of an unknown kind')})`;
    case 'resource': {
      const { uri, text } = (part['resource'] ?? {}) as { uri?: unknown; text?: unknown };
      return typeof text === 'string' ? `${String(uri)}:\n${text}` : `(the resource ${String(uri)})`;
    }
    case 'resource_link':
      return `(the resource ${String(part['uri'])})`;
    default:
      return '(something of an unknown kind)';
  }
}
