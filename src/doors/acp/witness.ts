import type { ToolCallContent } from '@agentclientprotocol/sdk';
import type { Choice } from '../../core/contract/told/index.ts';
import type { AttemptWork } from '../../core/run/index.ts';
import type { Witness } from '../app/performer.ts';
import { choose, type Seat } from './ask.ts';
import { kindOf, locationsOf, textContent } from './cards.ts';
import { sentence } from './evidence.ts';
import { textOnDisk } from './texts.ts';

/** Whose stream it is that something is done for. */
export interface Watched {
  seat: Seat;
  /** The editor can be asked for a text as it shows it. */
  readsTexts: boolean;
  workspace: string;
  /** The card of an attempt. */
  cardOf(work: AttemptWork): string;
  redact<T>(value: T): T;
}

/** Sees attempts on behalf of the editors' sessions. */
export interface EditorWitness extends Witness {
  /** From now on those of this stream; null: no longer. */
  watch(stream: string, watched: Watched | null): void;
  /** What the attempt behind a card has changed in files that it was known to touch; told once. */
  diffsOf(card: string): ToolCallContent[];
}

type Unsaved = 'again' | 'disk' | 'deny';
const choices: readonly Choice<Unsaved>[] = [
  { key: 's', label: 'I have saved it: look again', decision: 'again' },
  { key: 'g', label: 'Go on with what is on the disk', decision: 'disk' },
  { key: 'n', label: 'Do not do it', decision: 'deny', default: true },
];

export function createWitness(): EditorWitness {
  const streams = new Map<string, Watched>();
  const before = new Map<string, Map<string, string | null>>();
  const diffs = new Map<string, ToolCallContent[]>();
  return {
    watch(stream, watched) {
      if (watched === null) streams.delete(stream);
      else streams.set(stream, watched);
    },
    diffsOf(card) {
      const found = diffs.get(card) ?? [];
      diffs.delete(card);
      return found;
    },
    async before(work, signal) {
      const watched = streams.get(work.run);
      if (watched === undefined) return null;
      const { workspace } = watched;
      const paths = pathsOf(work);
      // The items of a loop are asked about with the first of them.
      const isAsked = work.item === null || work.item === 0;
      const objection = isAsked ? await askUnsaved(watched, work, paths, signal) : null;
      if (objection !== null) return objection;
      // Read last: whoever was asked may have saved.
      before.set(watched.cardOf(work), new Map(paths.map((path) => [path, textOnDisk(path, workspace)])));
      return null;
    },
    async after(work) {
      const watched = streams.get(work.run);
      if (watched === undefined) return;
      const card = watched.cardOf(work);
      const changed = [...(before.get(card) ?? [])].flatMap(([path, oldText]): ToolCallContent[] => {
        const newText = textOnDisk(path, watched.workspace);
        return newText === null || newText === oldText ? [] : [{ type: 'diff', path, oldText, newText }];
      });
      before.delete(card);
      // The items of a loop are one card.
      if (changed.length > 0) diffs.set(card, [...(diffs.get(card) ?? []), ...watched.redact(changed)]);
    },
  };
}

const pathsOf = ({ judged: { subject } }: AttemptWork): string[] =>
  locationsOf(subject.action, subject.cwd, subject.paths).map(({ path }) => path);

/** Why it is not done, where a text that it touches is not saved and they would rather not; null: nothing speaks against it. */
async function askUnsaved(
  watched: Watched,
  work: AttemptWork,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  for (;;) {
    const unsaved = watched.readsTexts ? await unsavedOf(watched, paths, signal) : [];
    if (unsaved.length === 0 || signal.aborted) return null;
    const names = unsaved.join(', ');
    const card = {
      toolCallId: watched.cardOf(work),
      title: `Not saved: ${names}`,
      kind: kindOf(work.judged.subject.action),
      locations: unsaved.map((path) => ({ path })),
      content: [
        textContent(
          sentence(
            `${work.step.title}: this touches what the editor has changed and not saved.\n${unsaved.join('\n')}`,
          ),
        ),
      ],
    };
    const answer = await choose(watched.seat, card, choices, signal);
    if (answer === 'withdrawn') return null;
    const decision = answer === 'left' ? 'deny' : answer.decision;
    if (decision === 'disk') return null;
    if (decision === 'deny') return `${names} has changes in the editor that are not saved`;
  }
}

/** Line ends and a mark at the beginning are the editor's own business. */
const plain = (text: string): string => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');

async function unsavedOf(
  { seat: { client, sessionId }, workspace }: Watched,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const options = { cancellationSignal: signal, stopWaitingOnCancel: true };
  const looked = await Promise.all(
    paths.map(async (path) => {
      const onDisk = textOnDisk(path, workspace);
      if (onDisk === null) return [];
      try {
        const { content } = await client.request('fs/read_text_file', { sessionId, path }, options);
        return plain(content) === plain(onDisk) ? [] : [path];
      } catch {
        // It does not know the file, or cannot say: then it has nothing of its own either.
        return [];
      }
    }),
  );
  return looked.flat();
}
