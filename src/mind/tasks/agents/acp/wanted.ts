import type { ToolCallUpdate } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { SimpleAction } from '../../../../core/contract/index.ts';
import { argumentsAsText, quoteWord } from '../../../../core/shell/index.ts';

/** What an agent says of a call, in the words that agents use for it. */
const Raw = z.looseObject({
  command: z.union([z.string(), z.array(z.string())]).optional(),
  cmd: z.union([z.string(), z.array(z.string())]).optional(),
  cwd: z.string().optional(),
  workdir: z.string().optional(),
  dir_path: z.string().optional(),
  url: z.string().optional(),
  path: z.string().optional(),
  file_path: z.string().optional(),
  filePath: z.string().optional(),
  filepath: z.string().optional(),
});

/**
 * What a call of an agent comes to, as actions that can be judged. A call of which that does not show is one of a tool that
 * nobody knows, which is asked for. None: it touches nothing.
 */
export function actionsOf(call: ToolCallUpdate): SimpleAction[] {
  const raw = Raw.safeParse(call.rawInput).data ?? {};
  const places = [
    ...new Set([
      ...(call.locations ?? []).map(({ path }) => path),
      ...[raw.file_path, raw.filePath, raw.filepath, raw.path].filter((path) => path !== undefined),
    ]),
  ];
  const each = (action: (path: string) => SimpleAction): SimpleAction[] =>
    places.length === 0 ? [unknown(call)] : places.map(action);
  // Where it says two, it is not known which of them it means; and where it would run decides what a path is.
  const folders = [raw.cwd, raw.workdir, raw.dir_path].filter((folder) => folder !== undefined);
  const at = folders.map((folder) => `cd ${quoteWord(folder)} && `);
  const commands = [raw.command, raw.cmd]
    .map((command) => (Array.isArray(command) ? argumentsAsText(command) : (command ?? '')))
    .filter((text) => text.trim() !== '')
    .flatMap((text) => (at.length === 0 ? [text] : at.map((first) => first + text)))
    .map((command): SimpleAction => ({ kind: 'run-command', command }));
  // Whatever it calls itself, what it says that it runs is judged.
  const beside = call.kind === 'execute' || call.kind === 'think' ? [] : commands;
  return [...beside, ...byKind()];

  function byKind(): SimpleAction[] {
    switch (call.kind) {
      case 'think':
        return commands.length + places.length === 0 ? [] : [unknown(call)];
      case 'execute':
        return commands.length === 0 ? [unknown(call)] : commands;
      case 'read':
        return each((path) => ({ kind: 'read-file', path, as: 'text' }));
      case 'search':
        return places.length === 0
          ? [{ kind: 'list-files', pattern: '**', as: 'files' }]
          : places.map((path) => ({ kind: 'list-files', pattern: `${path}/**`, as: 'files' }));
      case 'edit': {
        const diffs = (call.content ?? []).filter((content) => content.type === 'diff');
        const shown = diffs.map(
          ({ path, newText }): SimpleAction => ({ kind: 'write-file', path, content: newText }),
        );
        // What others will hold is not said by itself: whatever was said stands for it.
        const others = places.filter((place) => !diffs.some(({ path }) => path === place));
        const content = JSON.stringify(call.rawInput ?? '');
        if (shown.length + others.length === 0) return [unknown(call)];
        return [...shown, ...others.map((path): SimpleAction => ({ kind: 'write-file', path, content }))];
      }
      case 'delete':
        return each((path) => ({ kind: 'delete-path', path }));
      case 'fetch':
        return raw.url === undefined
          ? [unknown(call)]
          : [{ kind: 'run-command', command: `curl -fsSL ${quoteWord(raw.url)}` }];
      default:
        return [unknown(call)];
    }
  }
}

const unknown = ({ kind, title, name, rawInput }: ToolCallUpdate): SimpleAction => ({
  kind: 'call-tool',
  tool: `agent:${name ?? kind ?? 'other'}`,
  args: { title: title ?? '', input: z.json().safeParse(rawInput).data ?? null },
});
