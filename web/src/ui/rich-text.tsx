import { visibleLines } from '@told';
import { Copy } from 'lucide-react';
import { memo, useMemo } from 'react';
import type { Inline } from '../model/rich-inline.ts';
import { type Block, richText } from '../model/rich-text.ts';
import { copyText } from './copy-text.ts';

/** What a model said. Links say where they lead; nothing is fetched. */
export const RichText = memo(function RichText({ text }: { text: string }) {
  const blocks = useMemo(() => richText(text), [text]);
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2.5 text-[14px] leading-[22px] [overflow-wrap:anywhere]">
      <Blocks blocks={blocks} />
    </div>
  );
});

const Blocks = ({ blocks }: { blocks: readonly Block[] }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: what was said only grows at its end
  blocks.map((block, at) => <BlockView key={at} block={block} />);

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p className="whitespace-pre-line">
          <Parts parts={block.parts} />
        </p>
      );
    case 'heading':
      // It stands inside of an answer: the headings of the page are others.
      return (
        <p className={block.level < 3 ? 'mt-1 font-semibold text-[15px]' : 'mt-1 font-semibold'}>
          <Parts parts={block.parts} />
        </p>
      );
    case 'code':
      return <Code language={block.language} text={block.text} />;
    case 'quote':
      return (
        <blockquote className="grid gap-2 border-line-strong border-l-2 pl-3 text-dim">
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case 'rule':
      return <hr className="my-1" />;
    case 'list':
      return <List block={block} />;
    case 'table':
      return <Table block={block} />;
  }
}

function List({ block: { start, items } }: { block: Extract<Block, { kind: 'list' }> }) {
  const inner = items.map(({ checked, blocks }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what was said only grows at its end
    <li key={at} className="pl-0.5 marker:text-faint">
      <div className="inline-grid w-full grid-cols-[minmax(0,1fr)] gap-1.5 align-top">
        {checked === null ? null : <span className="sr-only">{checked ? 'done:' : 'to do:'}</span>}
        <Blocks blocks={blocks} />
      </div>
    </li>
  ));
  return start === null ? (
    <ul className="grid list-disc gap-1 pl-5">{inner}</ul>
  ) : (
    <ol start={start} className="grid list-decimal gap-1 pl-6">
      {inner}
    </ol>
  );
}

function Table({ block: { head, rows } }: { block: Extract<Block, { kind: 'table' }> }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0} className="overflow-x-auto">
      <table className="border-collapse text-base">
        <thead>
          <tr>
            {head.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have nothing else to go by
              <th key={at} className="border px-2 py-1 text-left font-medium">
                <Parts parts={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else to go by
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have nothing else to go by
                <td key={column} className="border px-2 py-1 align-top">
                  <Parts parts={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Code with its language and a button that copies it. */
export function Code({ language, text }: { language: string; text: string }) {
  return (
    <div className="group/code min-w-0 rounded-md border bg-code">
      <div className="flex h-7 items-center justify-between border-b pr-1 pl-2.5 text-faint text-small">
        <span className="mono truncate">{visibleLines(language) || 'text'}</span>
        <button
          type="button"
          onClick={() => copyText(text)}
          className="inline-flex h-6 items-center gap-1 rounded-sm px-1.5 hover:bg-hover hover:text-text"
        >
          <Copy size={12} /> Copy
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="mono max-h-[60vh] overflow-auto px-2.5 py-2">
        {visibleLines(text)}
      </pre>
    </div>
  );
}

const Parts = ({ parts }: { parts: readonly Inline[] }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: what was said only grows at its end
  parts.map((part, at) => <Part key={at} part={part} />);

function Part({ part }: { part: Inline }) {
  switch (part.kind) {
    case 'text':
      return visibleLines(part.text);
    case 'code':
      return <code className="mono rounded-sm bg-hover px-1 py-px">{visibleLines(part.text)}</code>;
    case 'strong':
      return (
        <strong className="font-semibold">
          <Parts parts={part.parts} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Parts parts={part.parts} />
        </em>
      );
    case 'strike':
      return (
        <s>
          <Parts parts={part.parts} />
        </s>
      );
    case 'link':
      return <To part={part} />;
  }
}

const LONGEST = 120;

/** Where it leads is always to be read: a text may say another place. */
function To({ part: { parts, href } }: { part: Extract<Inline, { kind: 'link' }> }) {
  const [only] = parts;
  const own = parts.length === 1 && only?.kind === 'text' ? only.text : null;
  const isSaid = own === href || `${own}/` === href;
  return (
    <>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        title={href}
        className="underline decoration-line-strong underline-offset-3 hover:decoration-current"
      >
        <Parts parts={parts} />
      </a>
      {isSaid ? null : (
        <span className="mono text-faint">
          {' '}
          ({visibleLines(href.length > LONGEST ? `${href.slice(0, LONGEST)}…` : href)})
        </span>
      )}
    </>
  );
}
