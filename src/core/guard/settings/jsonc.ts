/*
 * JSON as people write it: with comments and commas at the end. It is read with the place of everything in the text, so
 * that something can be put in or taken out, and no other byte changes.
 */

interface Spot {
  start: number;
  /** Exclusive. */
  end: number;
}
export interface ObjectNode extends Spot {
  kind: 'object';
  members: (Spot & { key: string; value: JsonNode })[];
}
export interface ArrayNode extends Spot {
  kind: 'array';
  items: JsonNode[];
}
export interface PlainNode extends Spot {
  kind: 'plain';
  value: unknown;
}
export type JsonNode = ObjectNode | ArrayNode | PlainNode;

class Damaged extends Error {}

/** Null where it is damaged: a reader of it would not agree what it says. */
export function parseJsonc(text: string): JsonNode | null {
  const reader = createReader(text);
  try {
    return reader.whole();
  } catch (error) {
    if (error instanceof Damaged) return null;
    throw error;
  }
}

const blank = /[\s\uFEFF]*(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)?/y;
const plain = /-?\d[\d.eE+-]*|true|false|null/y;
const quoted = /"(?:[^"\\\n]|\\.)*"/y;

const DEEPEST = 200;

function createReader(text: string) {
  let at = 0;
  const skip = (): void => {
    for (let before = -1; before !== at; ) {
      before = at;
      blank.lastIndex = at;
      blank.exec(text);
      at = blank.lastIndex;
    }
  };
  const take = (pattern: RegExp): { start: number; end: number; value: unknown } => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) throw new Damaged();
    const start = at;
    at = pattern.lastIndex;
    try {
      return { start, end: at, value: JSON.parse(found[0]) };
    } catch {
      throw new Damaged();
    }
  };
  /** What stands between two brackets, with commas; one behind the last is allowed. */
  const listed = (close: string, one: () => void): void => {
    at++;
    for (skip(); text[at] !== close; skip()) {
      one();
      skip();
      if (text[at] === ',') at++;
      else if (text[at] !== close) throw new Damaged();
    }
    at++;
  };
  const value = (depth: number): JsonNode => {
    if (depth > DEEPEST) throw new Damaged();
    const start = at;
    if (text[at] === '{') {
      const members: ObjectNode['members'] = [];
      listed('}', () => {
        const key = take(quoted);
        skip();
        if (text[at] !== ':') throw new Damaged();
        at++;
        skip();
        const held = value(depth + 1);
        members.push({ key: String(key.value), value: held, start: key.start, end: held.end });
      });
      return { kind: 'object', members, start, end: at };
    }
    if (text[at] === '[') {
      const items: JsonNode[] = [];
      listed(']', () => void items.push(value(depth + 1)));
      return { kind: 'array', items, start, end: at };
    }
    return { kind: 'plain', ...take(text[at] === '"' ? quoted : plain) };
  };
  return {
    whole(): JsonNode {
      skip();
      const root = value(0);
      skip();
      if (at !== text.length) throw new Damaged();
      return root;
    },
  };
}

/** The last one of that name: that is what a reader takes. */
export const memberOf = (node: ObjectNode, key: string): JsonNode | undefined =>
  node.members.findLast((member) => member.key === key)?.value;

export function plainOf(node: JsonNode): unknown {
  if (node.kind === 'plain') return node.value;
  if (node.kind === 'array') return node.items.map(plainOf);
  return Object.fromEntries(node.members.map(({ key, value }) => [key, plainOf(value)]));
}
