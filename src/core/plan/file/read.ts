import { decodeText } from './decode.ts';
import { readJson } from './read-json.ts';
import { readQuick } from './read-quick.ts';
import { readYaml } from './read-yaml.ts';
import type { ReadFault, Tree } from './tree.ts';

export type ReadFile =
  | { ok: true; text: string; tree: Tree }
  | { ok: false; text: string; faults: ReadFault[] };

/** Reads the text of a plan file, whatever it is written in. Never throws. */
export function readPlanText(content: Uint8Array | string, file: string): ReadFile {
  const decoded = decodeText(content);
  if (!decoded.ok) return { ok: false, text: '', faults: [decoded.fault] };
  const { text } = decoded;
  if (/^\s*[{[]/.test(text)) {
    const json = readJson(text);
    // JSON with comments, or braces that are YAML's, is still a plan file unless its name says JSON.
    if (json.ok || file.toLowerCase().endsWith('.json')) return { ...json, text };
  }
  const quick = readQuick(text);
  return quick !== null ? { ok: true, text, tree: quick } : { ...readYaml(text), text };
}
