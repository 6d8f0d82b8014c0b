import type { Shell } from '../../contract/index.ts';
import { suggest } from '../nearest.ts';
import type { Problem } from '../problem.ts';
import type { ProblemCode } from '../problem-codes.ts';
import { type Attributes, readComment, readFenceAttributes } from './attributes.ts';
import type { PagePiece } from './markdown.ts';
import { splitSession } from './session.ts';
import { looksTyped } from './shape.ts';

/** A block of commands with all that the page says about it. */
export interface Block {
  text: string;
  lang: string;
  line: number;
  /** The line of the first thing that it holds. */
  first: number;
  endLine: number;
  /** Headings above it, outermost first. */
  headings: readonly string[];
  /** Prose between it and what stands before it. */
  why: string;
  /** The end of that prose: what introduces the block. */
  lead: string;
  /** What follows it, up to the next block of commands or heading: prose, and what readers are shown. */
  tail: string;
  fence: Attributes;
  comment: Attributes;
}

const LANGUAGES: Record<Shell, ReadonlySet<string>> = {
  bash: new Set(
    'sh bash shell shell-script console zsh fish shell-session shellsession sh-session bash-session'.split(
      ' ',
    ),
  ),
  pwsh: new Set(['powershell', 'pwsh', 'ps1', 'ps']),
};

export const COMMENT_KEYS = [
  'expects',
  'after',
  'undo',
  'timeout',
  'cwd',
  'env',
  'retry',
  'interactive',
  'name',
  'skip',
  'run',
] as const;

const MAX_WHY = 1_000;

/** `$ ` before its first line. */
const PROMPTED = /^\s*\$ \S/;

/** How much of the prose before a block introduces it. */
const MAX_LEAD = 400;

/** The blocks of a page that are steps, and what is wrong with what was said about them. */
export function findBlocks(
  pieces: readonly PagePiece[],
  shell: Shell,
  file: string,
): { blocks: Block[]; problems: Problem[] } {
  const blocks: Block[] = [];
  const nameless: Block[] = [];
  const problems: Problem[] = [];
  const headings: { depth: number; text: string }[] = [];
  let prose: string[] = [];
  let open: Block | null = null;
  const goOn = (text: string) => {
    if (open !== null && open.tail.length < MAX_WHY) open.tail += `\n${text}`;
  };
  let comment: { attributes: Attributes; line: number } | null = null;
  const complain = (
    code: ProblemCode,
    severity: Problem['severity'],
    line: number,
    message: string,
    mend: string,
  ) => problems.push({ code, severity, message, source: { file, line, col: 1 }, mend });
  const dropComment = () => {
    if (comment === null) return;
    const mend = 'Put it right before a block of commands.';
    complain('comment-unused', 'warning', comment.line, 'This comment belongs to no block.', mend);
    comment = null;
  };
  for (const piece of pieces) {
    switch (piece.kind) {
      case 'heading':
        dropComment();
        while ((headings.at(-1)?.depth ?? 0) >= piece.depth) headings.pop();
        headings.push({ depth: piece.depth, text: piece.text });
        prose = [];
        open = null;
        break;
      case 'prose':
        goOn(piece.text);
        prose.push(piece.text);
        break;
      case 'comment': {
        const read = readComment(piece.text);
        if (read === null) break;
        dropComment();
        if (!read.ok) {
          const mend = 'Write <!-- planwright: expects="exit 0" after=install -->.';
          complain('wrong-comment', 'error', piece.line, read.message, mend);
          break;
        }
        for (const key of read.attributes.keys()) {
          if ((COMMENT_KEYS as readonly string[]).includes(key)) continue;
          complain(
            'unknown-key',
            'error',
            piece.line,
            `\`${key}\` is not known here.`,
            suggest(key, COMMENT_KEYS),
          );
        }
        comment = { attributes: read.attributes, line: piece.line };
        break;
      }
      case 'code': {
        const isPlain = piece.lang === '' && comment === null && shell === 'bash';
        // A prompt says what it is.
        const isNameless = isPlain && !PROMPTED.test(piece.text);
        if (!LANGUAGES[shell].has(piece.lang) && !isPlain) {
          dropComment();
          prose = [];
          goOn(piece.text);
          break;
        }
        const fence = readFenceAttributes(piece.meta);
        if (!fence.ok) {
          const mend = 'Write {"name":"x"} or { name=x interactive=false } after the language.';
          complain('wrong-attributes', 'error', piece.line, fence.message, mend);
        }
        const said = prose.join(' ').replace(/\s+/g, ' ').trim();
        if (isNameless) goOn(piece.text);
        const block: Block = {
          text: piece.text,
          lang: piece.lang,
          line: piece.line,
          first: piece.first,
          endLine: piece.endLine,
          headings: headings.map((heading) => heading.text).filter((text) => text !== ''),
          why: said.length <= MAX_WHY ? said : `…${said.slice(-MAX_WHY).replace(/^\S*/, '')}`,
          lead: said.slice(-MAX_LEAD),
          tail: '',
          fence: fence.ok ? fence.attributes : new Map(),
          comment: comment?.attributes ?? new Map(),
        };
        (isNameless ? nameless : blocks).push(block);
        if (!isNameless || blocks.length === 0) open = block;
        comment = null;
        prose = [];
        break;
      }
      case 'front-matter':
        break;
    }
  }
  dropComment();
  // Where no block says what it is, those that look like it are commands.
  return { blocks: blocks.length > 0 ? blocks : nameless.filter(looksLikeCommands), problems };
}

const looksLikeCommands = ({ text }: Block): boolean => splitSession(text) !== null || looksTyped(text);
