import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { toString as textOf } from 'mdast-util-to-string';
import { frontmatter } from 'micromark-extension-frontmatter';

/** What a runbook is made of, in the order of the page. Lines count from 1. */
export type PagePiece =
  | { kind: 'front-matter'; text: string; line: number }
  | { kind: 'heading'; depth: number; text: string; line: number }
  | { kind: 'prose'; text: string; line: number }
  | { kind: 'comment'; text: string; line: number }
  | { kind: 'code'; lang: string; meta: string; text: string; line: number; first: number; endLine: number };

/**
 * Emphasis, links and the like are not needed and, with unclosed signs, take time that grows with the square of the
 * text: they are switched off, and `plainText` takes their signs away.
 */
const BLOCKS_ONLY = {
  disable: {
    null: [
      'attention',
      'labelStartLink',
      'labelStartImage',
      'labelEnd',
      'autolink',
      'htmlText',
      'codeText',
      'definition',
    ],
  },
};

/** The pieces of a Markdown page, or null where it nests beyond reason. Never throws. */
export function readMarkdown(text: string): PagePiece[] | null {
  if (nestsTooDeeply(text)) return null;
  let root: Root;
  try {
    root = fromMarkdown(text, {
      extensions: [frontmatter(['yaml']), BLOCKS_ONLY],
      mdastExtensions: [frontmatterFromMarkdown(['yaml'])],
    });
  } catch {
    return null;
  }
  const pieces: PagePiece[] = [];
  collect(root, pieces);
  return pieces;
}

/** Lists and quotes within each other make the parser slow; nobody reads beyond a few levels. */
function nestsTooDeeply(text: string): boolean {
  const indented = /^[ \t]{100,}(?:[-*+>]|\d{1,9}[.)])[ \t]/m;
  const marked = /^(?:[ \t]{0,4}(?:(?:[-*+]|\d{1,9}[.)])[ \t]|>)){30}/m;
  return indented.test(text) || marked.test(text);
}

function collect(node: Nodes, pieces: PagePiece[]): void {
  const line = node.position?.start.line ?? 1;
  switch (node.type) {
    case 'yaml':
      pieces.push({ kind: 'front-matter', text: node.value, line: line + 1 });
      return;
    case 'heading':
      pieces.push({
        kind: 'heading',
        depth: node.depth,
        text: headingText(textOf(node)),
        line,
      });
      return;
    case 'paragraph':
      pieces.push({ kind: 'prose', text: plainText(textOf(node)), line });
      return;
    case 'html': {
      const [, depth, inside = ''] = /<h([1-6])\b[^>]{0,200}>([\s\S]{0,500}?)<\/h\1>/i.exec(node.value) ?? [];
      const text = headingText(inside);
      if (depth !== undefined && text !== '')
        pieces.push({ kind: 'heading', depth: Number(depth), text, line });
      pieces.push({ kind: 'comment', text: node.value, line });
      return;
    }
    case 'code': {
      const endLine = node.position?.end.line ?? line;
      // Indented, it has no fence: what it holds begins on its first line.
      const isIndented = node.value.split('\n').length === endLine - line + 1;
      // Pandoc and older runme write the attributes without a space: ```sh{ name=x }
      const [, lang = '', glued = ''] = /^([^{]*)(\{?.*)$/s.exec(node.lang ?? '') ?? [];
      const meta = `${glued} ${node.meta ?? ''}`.trim();
      pieces.push({
        kind: 'code',
        lang: lang.toLowerCase(),
        meta,
        text: node.value,
        line,
        first: isIndented ? line : line + 1,
        endLine,
      });
      return;
    }
    default:
      if ('children' in node) for (const child of node.children) collect(child, pieces);
  }
}

const LINK = /\[([^\][]*)\](?:\([^()\s]*(?: "[^"]*")?\)|\[[^\][]*\])/g;
const IMAGE = new RegExp(`!${LINK.source}`, 'g');
const TAG =
  /<\/?(?:a|abbr|b|br|center|code|div|em|font|h[1-6]|i|img|kbd|p|picture|small|source|span|strong|su[bp])\b[^<>]{0,300}>/gi;

/** Text as a reader sees it: links by their words, without the signs of emphasis and code. */
export function plainText(markdown: string): string {
  return markdown
    .replace(IMAGE, '$1')
    .replace(LINK, '$1')
    .replace(/`([^`]+)`/g, '$1')
    .replace(/(\*\*|__)(?=\S)([^*_]+)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*]+)\*(?!\w)/g, '$1')
    .replace(/\s+#+\s*$/, '')
    .trim();
}

/** A heading in words: badges and logos are none, unless there is nothing else. */
function headingText(markdown: string): string {
  const worded = (text: string) => plainText(text.replace(TAG, '')).replace(/\s+/g, ' ').trim();
  const [, alt = ''] = /<img\b[^<>]*\balt="([^"]*)"/i.exec(markdown) ?? [];
  return (
    worded(markdown.replace(IMAGE, '').replace(/\[\s*\](?:\([^()]*\)|\[[^\][]*\])/g, '')) ||
    worded(markdown) ||
    alt.trim()
  );
}

const CONTENTS = /^(?:table of )?contents$|\b(?:sponsors?|backers)\b/i;

/** Headings that are about a part of any page. */
const PART =
  /^(?:install(?:ation|ing)?|usage|license|getting started|quick ?start|features|introduction|build(?:ing)?|running|benchmarks|about|overview|requirements|prerequisites|documentation|support|contributing)$/i;

/** What a page is about: its first heading of the first rank before any block, or the first of any. */
export function pageTitle(pieces: readonly PagePiece[]): string | null {
  const headings = pieces.flatMap((piece) => (piece.kind === 'heading' ? [piece] : []));
  const titles = headings.filter(({ text }) => text !== '' && !CONTENTS.test(text));
  const code = pieces.find(({ kind }) => kind === 'code')?.line ?? Number.POSITIVE_INFINITY;
  const found = titles.find(({ depth, line }) => depth === 1 && line < code) ?? titles[0];
  if (found === undefined || (found.depth > 1 && PART.test(found.text))) return null;
  return found.text.replace(/ logo$/i, '');
}
