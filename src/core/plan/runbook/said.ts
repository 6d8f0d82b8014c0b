import type { Step, WrittenAction } from '../../contract/index.ts';
import { parseAction } from '../action/parse.ts';
import { parseDuration } from '../file/duration.ts';
import { RETRY_MEND, readRetry } from '../file/retry.ts';
import { readPairs } from './attributes.ts';
import type { Block } from './blocks.ts';

type Complain = (message: string, mend: string) => void;

/** What the comment before a block says of each of its steps, and what undoes the block. */
export interface Said {
  keys: Pick<Step, 'timeoutMs' | 'cwd' | 'env' | 'retry'>;
  undo: WrittenAction | undefined;
}

export function saidOf(block: Block, complain: Complain): Said {
  const cwd = block.comment.get('cwd');
  const timeoutMs = timeoutOf(block, complain);
  const env = envOf(block, complain);
  const retry = retryOf(block, complain);
  return {
    keys: {
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env }),
      ...(retry !== undefined && { retry }),
    },
    undo: undoOf(block, complain),
  };
}

/** A number of seconds, or a time with its unit. */
const timeIn = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);

function timeoutOf(block: Block, complain: Complain): number | undefined {
  const text = block.comment.get('timeout');
  if (text === undefined) return undefined;
  const ms = parseDuration(timeIn(text));
  if (ms === null) complain('`timeout` is not a time.', 'Write 30s, 5m or 1h30m.');
  return ms ?? undefined;
}

function envOf(block: Block, complain: Complain): Step['env'] {
  const text = block.comment.get('env');
  if (text === undefined) return undefined;
  const read = readPairs(text);
  if (read.ok && read.attributes.size > 0) return Object.fromEntries(read.attributes);
  complain(`\`env\`: ${read.ok ? 'it is empty.' : read.message}`, `Write env="CI=1 NAME='two words'".`);
  return undefined;
}

function retryOf(block: Block, complain: Complain): Step['retry'] {
  const text = block.comment.get('retry');
  if (text === undefined) return undefined;
  const pairs = /^\d+$/.test(text) ? new Map([['times', text]]) : pairsIn(text);
  const isKnown = [...pairs.keys()].every((key) => key === 'times' || key === 'delay');
  const delay = pairs.get('delay');
  const retry = isKnown ? readRetry(pairs.get('times'), delay === undefined ? delay : timeIn(delay)) : null;
  if (retry === null) complain('`retry` cannot be done.', RETRY_MEND);
  return retry ?? undefined;
}

function pairsIn(text: string): ReadonlyMap<string, string> {
  const read = readPairs(text);
  return read.ok ? read.attributes : new Map();
}

function undoOf(block: Block, complain: Complain): WrittenAction | undefined {
  const text = block.comment.get('undo');
  if (text === undefined) return undefined;
  const parsed = parseAction(text);
  if (parsed.ok) return parsed.action;
  complain(`\`undo\`: ${parsed.error.message}`, parsed.error.mend);
  return undefined;
}
