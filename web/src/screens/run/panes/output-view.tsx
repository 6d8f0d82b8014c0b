import { capital, count } from '@told';
import { Copy, Download, Search, SquareTerminal, WrapText } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { say } from '../../../api/ask.ts';
import { setLook, useLook } from '../../../api/look.ts';
import type { Output } from '../../../api/use-output.ts';
import { bytes } from '../../../model/time.ts';
import { useKeys } from '../../../shell/keys.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/notice.tsx';
import { Toggle } from '../../../ui/toggle.tsx';
import { FindBar } from './find-bar.tsx';
import { LogView } from './log-view.tsx';

const TerminalView = lazy(() => import('./terminal-view.tsx').then((m) => ({ default: m.TerminalView })));

interface OutputViewProps {
  output: Output;
  /** Where a browser downloads the whole. */
  url: string;
  /** Where the files lie that it names. */
  folder: string;
  /** More may come: it is followed. */
  live: boolean;
  /** Whoever writes it is at work: nothing yet is nothing to wait for. */
  running: boolean;
  /** What is said where nothing was written and nothing will be; null while that is not known. */
  nothing: string | null;
  head?: ReactNode;
  /** The line that was linked to, from 1. */
  line?: number | undefined;
  onLine(line: number): void;
}

/** What somebody wrote, as lines or as a terminal would show them. */
export function OutputView(props: OutputViewProps) {
  const { output, url, folder, live, running, nothing, head, line, onLine } = props;
  const { follow, wrap } = useLook();
  const [finding, setFinding] = useState(false);
  const [asTerminal, setAsTerminal] = useState(false);
  const [found, setFound] = useState<{ query: string; line: number | null }>({ query: '', line: null });
  useKeys({ '/': () => setFinding(true) });
  useEffect(() => {
    if (!finding) setFound({ query: '', line: null });
  }, [finding]);
  const empty = output.lines.count === 0;
  const copy = () =>
    void navigator.clipboard.writeText(output.lines.all()).then(
      () => say(`${bytes(output.size)} copied`),
      () => say('The browser does not let this page copy.', true),
    );
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-code">
      {head}
      <div className="flex h-8 shrink-0 items-center gap-1 border-b bg-bg px-4 max-md:px-2">
        <span className="num truncate text-faint">
          {empty ? '' : `${count(output.lines.count, 'line')} · ${bytes(output.size)}`}
        </span>
        <span className="ml-auto" />
        <Toggle label="Follow" on={follow} onChange={(next) => setLook({ follow: next })} hint="f" />
        <IconButton label="Search (/)" onClick={() => setFinding(true)}>
          <Search size={14} />
        </IconButton>
        <IconButton
          label="Wrap lines"
          aria-pressed={wrap}
          onClick={() => setLook({ wrap: !wrap })}
          className={wrap ? 'text-text' : ''}
        >
          <WrapText size={14} />
        </IconButton>
        <IconButton
          label="Show as a terminal would"
          aria-pressed={asTerminal}
          onClick={() => setAsTerminal(!asTerminal)}
          className={asTerminal ? 'bg-sel text-text' : ''}
        >
          <SquareTerminal size={14} />
        </IconButton>
        <IconButton label="Copy the output" disabled={empty} onClick={copy}>
          <Copy size={14} />
        </IconButton>
        <a
          href={url}
          download
          aria-label="Download the output"
          title="Download the output"
          className="inline-flex size-7 items-center justify-center rounded-md text-dim hover:bg-hover hover:text-text max-md:size-9"
        >
          <Download size={14} />
        </a>
      </div>
      {finding ? <FindBar output={output} onFound={setFound} onClose={() => setFinding(false)} /> : null}
      {output.error === null ? null : (
        <p className="shrink-0 border-b px-4 py-1 text-fail">{capital(output.error.message)}</p>
      )}
      {empty && nothing !== null ? (
        <p className="p-4 text-faint">{nothing}</p>
      ) : empty && output.error === null && !running ? (
        <Skeleton rows={4} />
      ) : asTerminal ? (
        <Suspense fallback={<Skeleton rows={4} />}>
          <TerminalView output={output} query={found.query} />
        </Suspense>
      ) : (
        <LogView
          output={output}
          folder={folder}
          follow={follow && line === undefined && found.line === null && live}
          wrap={wrap}
          query={found.query}
          focus={found.line ?? (line === undefined ? null : line - 1)}
          marked={line === undefined ? null : line - 1}
          onLine={(at) => onLine(at + 1)}
          onScrolledUp={() => setLook({ follow: false })}
        />
      )}
    </div>
  );
}
