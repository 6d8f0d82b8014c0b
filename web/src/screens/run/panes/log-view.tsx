import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, memo, useEffect, useRef } from 'react';
import { say } from '../../../api/ask.ts';
import { useLook } from '../../../api/look.ts';
import type { Output } from '../../../api/use-output.ts';
import { type AnsiSpan, ansiLine } from '../../../model/ansi.ts';
import { editorAddress, fileAt, outputParts } from '../../../model/output-links.ts';
import { readable, textOn } from '../../../model/readable.ts';
import { cx } from '../../../ui/cx.ts';

interface LogViewProps {
  output: Output;
  /** Where the files lie that it names. */
  folder: string;
  follow: boolean;
  wrap: boolean;
  query: string;
  /** The line to bring into view, from 0. */
  focus: number | null;
  /** The line that was linked to. */
  marked: number | null;
  onLine(line: number): void;
  onScrolledUp(): void;
}

/** Output of any length: only the lines in sight are there. */
export function LogView({
  output,
  folder,
  follow,
  wrap,
  query,
  focus,
  marked,
  onLine,
  onScrolledUp,
}: LogViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const { lines } = output;
  const count = lines.count;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => 18,
    overscan: 12,
    paddingStart: 10,
    paddingEnd: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other widths, other heights
  useEffect(() => virtual.measure(), [wrap, virtual]);
  useEffect(() => {
    if (follow && count > 0) virtual.scrollToIndex(count - 1, { align: 'end' });
  }, [follow, count, virtual]);
  // What opens below or above takes room from the last lines.
  useEffect(() => {
    const element = box.current;
    if (!follow || element === null) return undefined;
    const watch = new ResizeObserver(() => {
      element.scrollTop = element.scrollHeight;
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [follow]);
  useEffect(() => {
    if (focus !== null && focus < count) virtual.scrollToIndex(focus, { align: 'center' });
  }, [focus, count, virtual]);
  const last = useRef(0);
  const onScroll = () => {
    const element = box.current;
    if (element === null) return;
    const up = element.scrollTop < last.current - 4;
    last.current = element.scrollTop;
    if (follow && up && element.scrollHeight - element.scrollTop - element.clientHeight > 60) onScrolledUp();
  };
  const digits = String(count).length;
  const items = virtual.getVirtualItems();
  return (
    <div
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label="Output"
      onScroll={onScroll}
      className="mono min-h-0 flex-1 overflow-auto"
    >
      <div
        className="relative min-w-max"
        style={{ height: virtual.getTotalSize(), ...(wrap ? { minWidth: 0 } : {}) }}
      >
        {/* One shift for all rows: the browser lays them out below one another by itself. */}
        <div style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
          {items.map(({ index }) => (
            <div
              key={index}
              ref={wrap ? virtual.measureElement : undefined}
              data-index={index}
              className={cx(
                'flex min-h-[18px] w-full hover:bg-hover',
                lines.isError(index) && 'shadow-[inset_2px_0_var(--fail)]',
                index === marked && 'bg-sel',
              )}
              {...(lines.isError(index) ? { title: 'from stderr', 'data-from': 'stderr' } : {})}
            >
              <a
                href={`?line=${index + 1}`}
                aria-label={`Line ${index + 1}`}
                onClick={(event) => {
                  event.preventDefault();
                  onLine(index);
                }}
                className="shrink-0 select-none pr-3 pl-4 text-right text-faint hover:text-text max-md:pl-2"
                style={{ width: `calc(${Math.max(3, digits)}ch + 28px)` }}
              >
                {index + 1}
              </a>
              <Line
                raw={lines.line(index)}
                look={JSON.stringify(lines.lookAt(index))}
                folder={folder}
                query={query}
                wrap={wrap}
                current={index === focus}
              />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

interface LineProps {
  raw: string;
  look: string;
  folder: string;
  query: string;
  wrap: boolean;
  current: boolean;
}

const Line = memo(function Line({ raw, look, folder, query, wrap, current }: LineProps) {
  const { spans } = ansiLine(raw, JSON.parse(look) as object);
  return (
    <span
      className={cx(
        'min-w-0 flex-1 pr-4 text-dim',
        wrap ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'whitespace-pre',
      )}
    >
      {spans.length === 0 ? ' ' : null}
      {spans.map((span, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the spans of a line never move
        <span key={at} style={styleOf(span)}>
          <Linked text={span.text} folder={folder} query={query} current={current} />
        </span>
      ))}
    </span>
  );
});

interface LinkedProps {
  text: string;
  folder: string;
  query: string;
  current: boolean;
}

/** Addresses and places in files can be followed; each leads to what it says. */
function Linked({ text, folder, query, current }: LinkedProps) {
  return outputParts(text).map((part, at) => {
    const marked = <Marked text={part.text} query={query} current={current} />;
    // The parts of a line never move.
    const key = at;
    if (part.kind === 'text') return <Fragment key={key}>{marked}</Fragment>;
    if (part.kind === 'file')
      return (
        <button key={key} type="button" className={linkLook} onClick={() => openPlace(part, folder)}>
          {marked}
        </button>
      );
    return (
      <a key={key} href={part.text} target="_blank" rel="noopener noreferrer" className={linkLook}>
        {marked}
      </a>
    );
  });
}

const linkLook =
  'cursor-pointer whitespace-[inherit] text-left underline decoration-line-strong underline-offset-2 hover:decoration-current';

/** In the editor that this browser was told of; otherwise its place is copied. */
function openPlace(place: { path: string; line: number; column: number | null }, folder: string): void {
  const address = editorAddress(useLook.getState().editor, place, folder);
  if (address !== null) {
    location.assign(address);
    return;
  }
  const where = `${fileAt(place.path, folder)}:${place.line}`;
  void navigator.clipboard.writeText(where).then(
    () => say(`Copied: ${where}. Settings → Look names an editor to open it in.`),
    () => say('The browser does not let this page copy.', true),
  );
}

function Marked({ text, query, current }: { text: string; query: string; current: boolean }) {
  if (query === '') return text;
  const lower = text.toLowerCase();
  const wanted = query.toLowerCase();
  const parts = [];
  let at = 0;
  for (let hit = lower.indexOf(wanted); hit >= 0; hit = lower.indexOf(wanted, at)) {
    parts.push(text.slice(at, hit));
    parts.push(
      <mark key={hit} className={current ? 'bg-text text-bg' : 'bg-text/25 text-inherit'}>
        {text.slice(hit, hit + wanted.length)}
      </mark>,
    );
    at = hit + wanted.length;
  }
  return [...parts, text.slice(at)];
}

/** Colours of programs are theirs; they are drawn so that they can be read on either theme. */
function ink(name: string): string {
  if (!name.startsWith('#')) return `var(--ansi-${name})`;
  const { light, dark } = readable(name);
  return `light-dark(${light}, ${dark})`;
}
const ground = (name: string) => (name.startsWith('#') ? name : `var(--ansi-${name})`);
/** On a colour of its own, text is black or white. */
const inkOn = (name: string) =>
  name.startsWith('#') ? textOn(name) : name === 'black' ? '#ffffff' : 'var(--ansi-on)';

function styleOf(span: AnsiSpan): React.CSSProperties {
  const [fg, bg] = span.inverse ? [span.bg ?? 'black', span.fg ?? 'white'] : [span.fg, span.bg];
  return {
    ...(fg === undefined ? {} : { color: ink(fg) }),
    ...(bg === undefined ? {} : { backgroundColor: ground(bg), color: inkOn(bg) }),
    ...(span.bold ? { fontWeight: 600, ...(fg === undefined ? { color: 'var(--text)' } : {}) } : {}),
    ...(span.dim && fg === undefined && bg === undefined ? { color: 'var(--faint)' } : {}),
    ...(span.italic ? { fontStyle: 'italic' } : {}),
    ...(span.underline ? { textDecoration: 'underline' } : {}),
  };
}
