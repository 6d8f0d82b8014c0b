import { beyondWords, conflictWords, count, undoDeed } from '../../../core/contract/told/index.ts';
import type { PathChange, RunDiff, UndoPreview } from '../../app/undo.ts';
import { indent, type Look, measure, paragraph } from './look.ts';
import { cleanOutput, visible } from './text/clean.ts';

const margin = ' ';
const letters: Record<PathChange['kind'], string> = {
  added: 'A',
  removed: 'D',
  modified: 'M',
  mode: 'm',
  'type-changed': 'T',
};

/** `M src/a.ts`, a line each. */
export const renderChanges = (changes: readonly PathChange[], { style }: Look): string[] =>
  changes.map(({ path, kind }) => {
    const paint = kind === 'added' ? style.done : kind === 'removed' ? style.failed : style.waiting;
    return `${paint(letters[kind])} ${visible(path)}`;
  });

/** Unified text in colours; its own bytes where there are none. */
export function renderDiff(text: string, { style }: Look): string[] {
  const lines = text.replace(/\n$/, '').split('\n');
  if (text === '') return [];
  if (!style.color) return lines;
  return lines.map((line) => {
    const clean = cleanOutput(line);
    if (/^(diff |index |--- |\+\+\+ |new |deleted |old )/.test(line)) return style.strong(clean);
    if (line.startsWith('@@')) return style.dim(clean);
    if (line.startsWith('+')) return style.done(clean);
    return line.startsWith('-') ? style.failed(clean) : clean;
  });
}

/** What a person has to know beside the changes. */
export function diffNotes({ changes, uncovered, unsure, unknownSteps }: RunDiff): string[] {
  const changed = uncovered.filter((each) => each.changed);
  return [
    ...(changes.length === 0 ? ['Nothing that a checkpoint covers was changed.'] : []),
    ...(unsure.length === 0
      ? []
      : [`Perhaps changed by others as well, the driver died meanwhile: ${unsure.join(', ')}`]),
    ...unknownSteps.map((title) => `What this step left was not kept: ${visible(title)}`),
    ...(changed.length === 0 ? [] : [`Changed, and not covered: ${named(changed)}`]),
    ...(uncovered.length === changed.length
      ? []
      : [`Not covered: ${named(uncovered.filter((each) => !each.changed))}`]),
  ];
}

const few = 10;
function named(all: readonly { path: string; why: string }[]): string {
  const shown = all.slice(0, few).map(({ path, why }) => `${visible(path)} (${why})`);
  return [...shown, ...(all.length > few ? [`${all.length - few} more`] : [])].join(', ');
}

const many = 30;

/** Of very many, those that go or come with their folder are counted there: nobody reads thousands of lines. */
function folded(restore: readonly PathChange[]): (PathChange & { below: number })[] {
  const all = restore.map((change) => ({ ...change, below: 0 }));
  if (all.length <= many) return all;
  const whole = new Map(
    all.filter(({ kind }) => kind === 'added' || kind === 'removed').map((each) => [each.path, each]),
  );
  const above = ({ path, kind }: PathChange) => {
    let top: (typeof all)[number] | undefined;
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
      const folder = whole.get(path.slice(0, at));
      if (folder?.kind === kind) top ??= folder;
    }
    return top;
  };
  return all.filter((change) => {
    const top = above(change);
    if (top !== undefined) top.below += 1;
    return top === undefined;
  });
}

/** What an undo would do, as things are now. */
export function renderUndo(preview: UndoPreview, look: Look, what: 'Run' | 'Session' = 'Run'): string[] {
  const { style } = look;
  const { restore, conflicts, actions, beyond, uncovered, unknownSteps, asBefore } = preview;
  const width = measure(look) - 2;
  const text = (sentence: string) => paragraph(sentence, width, look);
  const lines = [
    ...(restore.length + actions.length === 0 ? [`${what} ${preview.run} left nothing to take back.`] : []),
    ...actions.map(({ action }) => `${style.waiting('perform')} ${visible(action)}`),
    ...folded(restore).map(({ path, kind, below }) => {
      const deed = (kind === 'added' ? style.failed : style.done)(undoDeed(kind));
      return `${deed} ${visible(path)}${below === 0 ? '' : style.dim(` and the ${below} in it`)}`;
    }),
    ...(asBefore.length === 0 ? [] : [style.dim(`${count(asBefore.length, 'path')} as before already`)]),
    ...conflicts.flatMap(({ path, why }) =>
      // Painted once it is laid out: what is laid out shows every control character.
      text(`leave ${visible(path)}: ${conflictWords(why)}`).map((line, at) =>
        at === 0 ? line.replace('leave', style.failed('leave')) : line,
      ),
    ),
    ...(conflicts.length === 0
      ? []
      : text(`planwright undo ${preview.run} --overwrite PATH restores it all the same.`)),
    ...beyond.flatMap((each) => text(beyondWords(each))),
    ...unknownSteps.flatMap((title) => text(`Cannot be taken back, what it left was not kept: ${title}`)),
    ...(uncovered.length === 0 ? [] : text(`Changed, but not covered by undo: ${named(uncovered)}`)),
  ];
  return indent(lines, margin);
}
