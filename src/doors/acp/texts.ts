import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ToolCallContent } from '@agentclientprotocol/sdk';
import { type Action, toolParts } from '../../core/contract/index.ts';
import { locate } from '../../world/workspace/index.ts';

/** Texts of the workspace, for an editor to compare. */

/** No editor is sent more of one file. */
const LARGEST = 512 * 1024;

/**
 * A text file of the workspace as it is on the disk; null where there is none, it lies outside, or is no text that could be
 * shown. Never throws.
 */
export function textOnDisk(path: string, workspace: string): string | null {
  try {
    const place = locate({ workspace, cwd: workspace }, path, { follow: true });
    try {
      if (place.entry.kind !== 'file') return null;
      const bytes = readFileSync(place.here());
      if (bytes.length > LARGEST || bytes.includes(0)) return null;
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } finally {
      place.close();
    }
  } catch {
    return null;
  }
}

/** What an action would make of the files that it names, where that can be said before it is done. */
export function proposedDiffs(action: Action, cwd: string, workspace: string): ToolCallContent[] {
  const parts = (action.kind === 'call-tool' ? toolParts(action) : null) ?? [action];
  return parts.flatMap((part): ToolCallContent[] => {
    if (part.kind === 'edit-file')
      return [{ type: 'diff', path: resolve(cwd, part.path), oldText: part.old, newText: part.new }];
    if (part.kind !== 'write-file') return [];
    const path = resolve(cwd, part.path);
    return [{ type: 'diff', path, oldText: textOnDisk(path, workspace), newText: part.content }];
  });
}
