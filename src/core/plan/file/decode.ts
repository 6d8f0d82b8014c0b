import type { ProblemCode } from '../problem-codes.ts';
import type { ReadFault } from './tree.ts';

export const MAX_PLAN_BYTES = 10 * 1024 * 1024;

export type Decoded = { ok: true; text: string } | { ok: false; fault: ReadFault };

function fault(code: ProblemCode, message: string, mend: string): Decoded {
  return { ok: false, fault: { code, message, pos: 0, mend } };
}

/** The text of a file, or why it is not one. Never throws. A byte order mark is dropped. */
export function decodeText(content: Uint8Array | string): Decoded {
  const size = content.length;
  if (size > MAX_PLAN_BYTES) {
    const found = `${(size / 1024 / 1024).toFixed(1)} MB`;
    return fault(
      'file-too-large',
      `The file has ${found}; a plan has at most 10 MB.`,
      'Split it into several plans.',
    );
  }
  let text: string;
  if (typeof content === 'string') {
    text = content.startsWith('\ufeff') ? content.slice(1) : content;
  } else {
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(content);
    } catch {
      return fault(
        'not-text',
        'The file is not UTF-8 text.',
        'Give a plan file in YAML or JSON, saved as UTF-8.',
      );
    }
  }
  if (text.includes('\0')) {
    return fault('not-text', 'The file is binary.', 'Give a plan file in YAML or JSON.');
  }
  if (text.trim() === '') {
    return fault('empty-file', 'The file is empty.', 'A plan has a `goal` and a `plan`, a list of steps.');
  }
  return { ok: true, text };
}
