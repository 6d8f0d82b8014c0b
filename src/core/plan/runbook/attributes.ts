/** What a fence or a comment says about a block: `name=value` pairs, in the manner of the tool that wrote them. */
export type Attributes = Map<string, string>;

export type ReadAttributes = { ok: true; attributes: Attributes } | { ok: false; message: string };

/**
 * The attributes after the language of a fence: `{"name":"x"}` or `{ name=x interactive=false }`. Words without braces
 * belong to other tools and say nothing here.
 */
export function readFenceAttributes(meta: string): ReadAttributes {
  const text = meta.trim();
  if (!text.startsWith('{')) return { ok: true, attributes: new Map() };
  const close = text.lastIndexOf('}');
  if (close < 0) return { ok: false, message: 'The attributes of the block have no closing brace.' };
  const inside = text.slice(0, close + 1);
  const json = readJsonObject(inside);
  if (json !== null) return { ok: true, attributes: json };
  return readPairs(inside.slice(1, -1).replaceAll(',', ' '));
}

function readJsonObject(text: string): Attributes | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  return new Map(
    Object.entries(value).map(([key, each]) => [key, typeof each === 'string' ? each : JSON.stringify(each)]),
  );
}

const PAIR = /\s*([A-Za-z][\w.-]*)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"'=]+)))?(?=\s|$)/y;

/** `key=value key="a value" flag`: a key alone means true. */
export function readPairs(text: string): ReadAttributes {
  const attributes: Attributes = new Map();
  const rest = text.trimEnd();
  PAIR.lastIndex = 0;
  let at = 0;
  while (at < rest.length) {
    PAIR.lastIndex = at;
    const match = PAIR.exec(rest);
    if (match === null) {
      const shown = rest.slice(at).trim().slice(0, 40);
      return { ok: false, message: `\`${shown}\` is not of the form key=value.` };
    }
    const [whole, key, double, single, bare] = match;
    const value = double !== undefined ? double.replace(/\\(["\\])/g, '$1') : (single ?? bare ?? 'true');
    if (attributes.has(key!)) return { ok: false, message: `\`${key}\` is there twice.` };
    attributes.set(key!, value);
    at += whole.length;
  }
  return { ok: true, attributes };
}

/** The pairs of `<!-- planwright: key=value … -->`, or null for any other comment. */
export function readComment(html: string): ReadAttributes | null {
  const match = /^\s*<!--\s*planwright:([\s\S]*?)-->\s*$/.exec(html);
  if (match !== null) return readPairs(match[1]!.trim());
  return /^\s*<!--\s*planwright\b/.test(html)
    ? { ok: false, message: 'The comment is not closed, or the colon is missing.' }
    : null;
}
