import { dollars } from '../../../core/contract/index.ts';
import { correctionWords, failureNote, percent, sourceWords } from '../../../core/contract/told/index.ts';
import type { Chapter } from '../../app/chapters.ts';
import { indent, type Look, measure, paragraph } from './look.ts';
import { cleanOutput } from './text/clean.ts';

const SAID_LINES = 4;

/** What went wrong in a run and how it was mended, chapter by chapter: `planwright why`. */
export function renderChapters(chapters: readonly Chapter[], look: Look): string[] {
  return chapters.flatMap((chapter, at) => [...(at === 0 ? [] : ['']), ...renderChapter(chapter, look)]);
}

function renderChapter(chapter: Chapter, look: Look): string[] {
  const { style } = look;
  const width = measure(look) - 4;
  const { failure, correction, diff } = chapter;
  const attempt = chapter.attemptIndex > 0 ? `, attempt ${chapter.attemptIndex + 1}` : '';
  const said = failure.said
    .split('\n')
    .map(cleanOutput)
    .filter((line) => line.trim() !== '');
  const lines = [
    `${style.failed(style.glyphs.step.failed)} ${style.strong(chapter.title)} ${style.dim(`failed (${failureNote(failure)}${attempt})`)}`,
    ...said.slice(-SAID_LINES).map((line) => `    ${style.dim(line.slice(0, width))}`),
  ];
  if (correction === null) {
    const why = chapter.outcome === 'stuck' ? chapter.reason : chapter.unanswered;
    return [...lines, ...indent(paragraph(`No correction: ${why ?? 'none was found'}.`, width, look), '  ')];
  }
  const { reasoning, confidence } = correction;
  const from = `${sourceWords(correction)}, ${percent(confidence)} sure${cost(chapter)}`;
  return [
    ...lines,
    ...indent(paragraph(reasoning, width, look), '  '),
    `  ${style.changed(correctionWords(correction))} ${style.dim(`(${correction.id}: ${from})`)}`,
    ...(diff === '' ? [] : indent(diff.split('\n').slice(1), '  ')),
    `  ${outcomeLine(chapter, look)}`,
  ];
}

const cost = ({ cost: { usd, tokens } }: Chapter): string =>
  tokens === 0 ? '' : `, ${usd === 0 ? `${tokens} tokens` : dollars(usd)}`;

function outcomeLine({ outcome, reason, correction }: Chapter, { style }: Look): string {
  const isTaken = outcome === 'applied' || outcome === 'proposed';
  if (correction?.action === 'abort' && isTaken)
    return `${style.failed(style.glyphs.step.failed)} the run was ended`;
  if (correction?.action === 'skip' && outcome === 'applied')
    return `${style.dim(style.glyphs.step.skipped)} the step was left out`;
  switch (outcome) {
    case 'succeeded':
      return `${style.done(style.glyphs.step.done)} it helped`;
    case 'failed':
      return `${style.failed(style.glyphs.step.failed)} it did not help${reason === null ? '' : `: ${reason}`}`;
    case 'refused':
      return `${style.waiting(style.glyphs.step.failed)} refused${reason === null ? '' : `: ${reason}`}`;
    case 'proposed':
    case 'applied':
    case 'stuck':
    case 'unanswered':
      return style.dim('it is under way');
  }
}
