import type { Action, Verdict } from '../../../core/contract/index.ts';
import { needsWords, unknownPathsWords, weighty } from '../../../core/contract/told/index.ts';
import { indent, isUnbounded, type Look, measure, type PrintAction, paragraph, tildePath } from './look.ts';
import { visible } from './text/clean.ts';
import { markedLines } from './text/marked.ts';
import { displayWidth } from './text/width.ts';
import { wrapExactly } from './text/wrap.ts';

export const margin = ' ';

export const say = (text: string, look: Look): string[] => paragraph(text, measure(look) - 4, look);

/** To the letter, in lines that leave `less` columns free. */
export const exactly = (text: string, less: number, look: Look): string[] =>
  isUnbounded(look) ? [visible(text)] : wrapExactly(visible(text), Math.max(1, measure(look) - less));

/**
 * A command as one types it, a script line by line; anything else as a plan file has it. What earned the verdict
 * is underlined, by carets where there is no colour.
 */
export function actionLines(
  action: Action,
  look: Look & { printAction: PrintAction },
  verdict?: Verdict,
): string[] {
  const { style } = look;
  const edge = style.dim(style.glyphs.spine);
  const judged = judgedText(action);
  const spans =
    judged === null
      ? []
      : (verdict === undefined ? [] : weighty(verdict)).flatMap(({ span }) => (span ? [span] : []));
  const text = (judged ?? look.printAction(action)).replace(/\n$/, '');
  const width = isUnbounded(look) ? look.width : Math.max(1, measure(look) - 7);
  return markedLines(text, spans, width).flatMap((line) => {
    const words = line.map(({ text: part, marked }) => (marked ? style.underline(part) : part)).join('');
    const marks = line
      .map(({ text: part, marked }) => (marked ? '^' : ' ').repeat(displayWidth(part)))
      .join('');
    const carets = !style.color && marks.includes('^') ? [`${edge} ${marks.trimEnd()}`] : [];
    return [`${edge} ${words}`, ...carets];
  });
}

/** The text that a judgement's spans are offsets of; null where an action has none. */
function judgedText(action: Action): string | null {
  if (action.kind === 'run-command') return action.command;
  return action.kind === 'run-script' ? action.script : null;
}

/** A command and what is to be said about it. */
export function renderVerdict(command: string, verdict: Verdict, look: Look): string[] {
  const action: Action = { kind: 'run-command', command };
  const glyph = look.style.glyphs.risk[verdict.level];
  return indent(
    [
      `${glyph} ${look.style.strong(verdict.level)}`,
      '',
      ...actionLines(action, { ...look, printAction: () => command }, verdict),
      '',
      ...verdictLines(verdict, look),
      ...finalLines(verdict, look),
      ...verdict.paths.map((path) => `  ${visible(tildePath(path, look))}`),
      ...(verdict.unknownPaths === undefined ? [] : say(unknownPathsWords(verdict.unknownPaths), look)),
    ],
    margin,
  );
}

export function verdictLines(verdict: Verdict, look: Look): string[] {
  const needs = needsWords(verdict);
  return [
    ...weighty(verdict).flatMap(({ sentence, level }) =>
      say(`${look.style.glyphs.risk[level]} ${sentence}`, look),
    ),
    ...(needs === null ? [] : say(needs, look)),
  ];
}

/** Where nothing is known of the run that it would be a part of. */
const finalLines = ({ reversible, level }: Verdict, look: Look): string[] =>
  reversible || level === 'safe' ? [] : say('It cannot be undone.', look);
