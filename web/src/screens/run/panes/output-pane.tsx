import { planStep, type StepState, stepState } from '@contract';
import { count, relativeTo, stepName, visible } from '@told';
import { Copy, Download, Search, SquareTerminal, WrapText } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { say } from '../../../api/ask.ts';
import { client } from '../../../api/client.ts';
import { setLook, useLook } from '../../../api/look.ts';
import { useOutput } from '../../../api/use-output.ts';
import { bytes } from '../../../model/time.ts';
import { useKeys } from '../../../shell/keys.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/notice.tsx';
import { Toggle } from '../../../ui/toggle.tsx';
import { FindBar } from './find-bar.tsx';
import { LogView } from './log-view.tsx';
import type { PaneProps } from './pane.ts';

const TerminalView = lazy(() => import('./terminal-view.tsx').then((m) => ({ default: m.TerminalView })));

/** A repair that has not run has no output: what it is to mend is the evidence. */
export function OutputPane(props: PaneProps) {
  const { shown, stepId, attempt } = props;
  const target = planStep(shown.run, stepId)?.repairs;
  if (attempt !== null || target === undefined) return <OutputOf {...props} />;
  const tried = (stepState(shown.run, target)?.attempts ?? 1) - 1;
  return (
    <>
      <p className="shrink-0 border-b px-4 py-1.5 text-dim">
        What {stepName(shown.run.plan, target)} said when it failed:
      </p>
      <OutputOf {...props} stepId={target} attempt={tried} />
    </>
  );
}

function OutputOf({ shown, stepId, attempt, search, go }: PaneProps) {
  const output = useOutput(shown.id, stepId, attempt);
  const { follow, wrap } = useLook();
  const [finding, setFinding] = useState(false);
  const [asTerminal, setAsTerminal] = useState(false);
  const [found, setFound] = useState<{ query: string; line: number | null }>({ query: '', line: null });
  useKeys({ '/': () => setFinding(true) });
  useEffect(() => {
    if (!finding) setFound({ query: '', line: null });
  }, [finding]);
  const state = stepState(shown.run, stepId);
  if (attempt === null)
    return (
      <Nothing
        text={state?.status === 'skipped' ? 'It was skipped, so there is no output.' : 'Not run yet.'}
      />
    );
  const empty = output.lines.count === 0;
  // An attempt that was denied, or never begun, has no log that could end.
  const isOver = shown.run.inFlight?.stepId !== stepId || shown.run.inFlight.attemptIndex !== attempt;
  const isStill = empty && (output.ended || (isOver && output.isRead && shown.chronicle.complete));
  const tried = shown.chronicle.attempts(stepId).find(({ index }) => index === attempt);
  const copy = () =>
    void navigator.clipboard.writeText(output.lines.all()).then(
      () => say(`${bytes(output.size)} copied`),
      () => say('The browser does not let this page copy.', true),
    );
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-code">
      <ItemName item={tried?.item ?? null} loop={state?.loop ?? null} workspace={shown.run.workspace} />
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
          href={client.outputUrl(shown.id, stepId, attempt)}
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
        <p className="shrink-0 border-b px-4 py-1 text-fail">{output.error.message}</p>
      )}
      {isStill ? (
        <Nothing
          text={tried?.result?.why === 'denied' ? 'It was denied, so it did not run.' : 'It wrote nothing.'}
        />
      ) : empty && output.error === null && state?.status !== 'running' ? (
        <Skeleton rows={4} />
      ) : asTerminal ? (
        <Suspense fallback={<Skeleton rows={4} />}>
          <TerminalView output={output} query={found.query} />
        </Suspense>
      ) : (
        <LogView
          output={output}
          follow={follow && search.line === undefined && found.line === null && shown.live}
          wrap={wrap}
          query={found.query}
          focus={found.line ?? (search.line === undefined ? null : search.line - 1)}
          marked={search.line === undefined ? null : search.line - 1}
          onLine={(line) => go({ line: line + 1, step: stepId, attempt })}
          onScrolledUp={() => setLook({ follow: false })}
        />
      )}
    </div>
  );
}

interface ItemNameProps {
  item: number | null;
  loop: StepState['loop'];
  workspace: string;
}

/** Which item of a loop this output is of. */
function ItemName({ item, loop, workspace }: ItemNameProps) {
  if (item === null || loop === null) return null;
  const name = loop.items?.[item];
  return (
    <p className="mono shrink-0 border-b bg-bg px-4 py-1 text-dim [overflow-wrap:anywhere] max-md:px-3">
      item {item + 1} of {loop.count}
      {name === undefined ? '' : `: ${visible(relativeTo(workspace, name))}`}
    </p>
  );
}

function Nothing({ text }: { text: string }) {
  return <p className="p-4 text-faint">{text}</p>;
}
