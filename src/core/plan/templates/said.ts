import type { Plan } from '../../contract/index.ts';

/** Where a goal says the value of an input with this name. A pattern has the value in its first group. */
const SAID: Readonly<Record<string, readonly RegExp[]>> = {
  folder: [/^((?:\.{1,2}|~)?\/\S*|[\w.-]+\/(?:[\w.-]+\/)*[\w.-]*)$/],
  database: [/^(\S+\.(?:db|sqlite3?|s3db))$/i],
  archive: [/^(\S+\.(?:tar\.gz|tgz))$/i],
  tag: [/^(v?\d+\.\d+(?:\.\d+)*(?:[-+][\w.]+)?)$/],
  url: [/^(https?:\/\/\S+)$/i],
  host: [/^(?:https?:\/\/)?((?:[a-z\d-]+\.)+[a-z]{2,})(?:[/:]\S*)?$/i],
  size: [/^(\d+[kMG])$/],
};
/** The same for what is told by the words around it. */
const BETWEEN: Readonly<Record<string, RegExp>> = {
  folder: /\b(?:this|current) (?:folder|directory)\b|\bhere\b/i,
  port: /\bport (\d{2,5})\b/i,
  name: /\b(?:called|named) ([\w-]+)/i,
  into: /\binto (?!(?:an?|the|it|this|that|my|our)\b)([\w./~-]*[\w/])/i,
};

/** The value that a goal says for an input; null where it says none, or several. */
function saidFor(name: string, goal: string): string | null {
  const words = goal.split(/\s+/).map((word) => word.replace(/^["'“(]+|["'”).,;:!?]+$/g, ''));
  const found = (SAID[name] ?? []).flatMap((shape) => words.flatMap((word) => shape.exec(word)?.[1] ?? []));
  if (new Set(found).size > 1) return null;
  if (found[0] !== undefined) return found[0];
  const around = BETWEEN[name]?.exec(goal);
  return around == null ? null : (around[1] ?? '.');
}

/**
 * The plan of a template with what the goal says itself as the usual values of its inputs: who is asked for them need not
 * type it again, and it is shown with the plan, as every value is.
 */
export function withSaid(plan: Plan, goal: string): { plan: Plan; said: Readonly<Record<string, string>> } {
  const said: Record<string, string> = {};
  const inputs = plan.inputs?.map((input) => {
    const value = input.secret === true ? null : saidFor(input.name, goal.slice(0, 2000));
    if (value === null) return input;
    said[input.name] = value;
    return { ...input, default: value };
  });
  return { plan: inputs === undefined ? plan : { ...plan, inputs }, said };
}
