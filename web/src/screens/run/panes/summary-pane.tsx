import { useQuery } from '@tanstack/react-query';
import { capital, count, duration, sentenceOf, stepName, visible } from '@told';
import type { ReactNode } from 'react';
import { client } from '../../../api/client.ts';
import { askAbout, setLook } from '../../../api/look.ts';
import { controlsOf } from '../../../model/modes.ts';
import { type Summary, summaryOf } from '../../../model/summary.ts';
import { Button } from '../../../ui/button.tsx';
import { useAgain } from '../again.tsx';
import { useKnown } from '../shown.ts';
import { changeSign, changeTone } from './changes-pane.tsx';
import type { PaneProps } from './pane.ts';

const fewFiles = 30;

/** What a run came to, and what can be done next. */
export function SummaryPane({ shown, go }: PaneProps) {
  const { run, chronicle } = shown;
  // How long a loop took is what its items took, and only its past tells that.
  useKnown(
    shown,
    run.steps.filter(({ loop }) => loop !== null).map(({ id }) => id),
  );
  const summary = summaryOf(run, chronicle);
  const again = useAgain(shown);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0} className="min-h-0 flex-1 overflow-auto px-6 py-5 max-md:px-3">
      <h2 className="font-semibold text-[15px]">{visible(sentenceOf(run).text)}</h2>
      <p className="mt-1 text-dim">
        {summary.steps}. Worked <span className="num">{duration(summary.workedMs)}</span>
        {summary.tookMs - summary.workedMs < 1000 ? null : (
          <>
            , <span className="num">{duration(summary.tookMs)}</span> from beginning to end
          </>
        )}
        {summary.cost === '' ? '' : `, cost ${summary.cost}`}.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look="primary" disabled={!shown.live} onClick={() => void again.repeat()}>
          Run again
        </Button>
        <Button disabled={!shown.live || !controlsOf(run).undo} onClick={() => askAbout(shown.id, 'undo')}>
          Undo…
        </Button>
        <Button onClick={() => go({ tab: 'story' })}>Tell the story</Button>
      </div>
      <Changed id={shown.id} go={go} />
      <Mended summary={summary} go={go} />
      {summary.failed.length === 0 ? null : (
        <Part title="Failed">
          {summary.failed.map((id) => (
            <StepLine key={id} onClick={() => go({ step: id, tab: 'output' })}>
              <span className="text-fail">{capital(stepName(run.plan, id))}</span>
            </StepLine>
          ))}
        </Part>
      )}
      {summary.slowest.length === 0 ? null : (
        <Part title="Took longest">
          {summary.slowest.map(({ id, number, title, ms }) => (
            <StepLine key={id} onClick={() => go({ step: id, tab: 'output' })}>
              <span className="num w-8 shrink-0 text-right text-faint">{number ?? ''}</span>
              <span className="min-w-0 flex-1 truncate">{visible(title)}</span>
              <span className="num text-faint">{duration(ms)}</span>
            </StepLine>
          ))}
        </Part>
      )}
      {summary.services.length === 0 ? null : (
        <Part title="Still running">
          <li className="flex flex-wrap items-center gap-2 py-1">
            <span className="mono">{summary.services.map(visible).join(', ')}</span>
            <Button onClick={() => setLook({ open: 'services' })}>Services…</Button>
          </li>
        </Part>
      )}
    </div>
  );
}

function Part({ title, detail, children }: { title: string; detail?: string; children: ReactNode }) {
  return (
    <section className="mt-5">
      <h3 className="mb-1 flex items-baseline gap-2 border-b pb-1 font-medium">
        {title}
        {detail === undefined ? null : <span className="font-normal text-faint">{detail}</span>}
      </h3>
      <ul aria-label={title}>{children}</ul>
    </section>
  );
}

const StepLine = ({ onClick, children }: { onClick(): void; children: ReactNode }) => (
  <li>
    <button
      type="button"
      onClick={onClick}
      className="flex h-7 w-full items-center gap-2 rounded-sm px-1 text-left hover:bg-hover"
    >
      {children}
    </button>
  </li>
);

function Mended({ summary: { mended, corrections }, go }: { summary: Summary; go: PaneProps['go'] }) {
  if (corrections === 0) return null;
  return (
    <Part title="Mended">
      <StepLine onClick={() => go({ tab: 'story' })}>
        <span className="text-mind">
          {mended} of {count(corrections, 'correction')} worked
        </span>
      </StepLine>
    </Part>
  );
}

/** The files that are not as they were, as a list; the diff is a tab away. */
function Changed({ id, go }: { id: string; go: PaneProps['go'] }) {
  const { data, error } = useQuery({
    queryKey: ['diff', id, null, 'summary'],
    queryFn: () => client.diffRun(id),
    retry: false,
  });
  if (error !== null)
    return (
      <Part title="Changed">
        <li className="py-1 text-faint">{capital(error.message)}</li>
      </Part>
    );
  if (data === undefined)
    return (
      <Part title="Changed">
        <li className="motion-breathe py-1 text-faint">Looking at what changed…</li>
      </Part>
    );
  const { files, uncovered } = data;
  return (
    <Part title="Changed" detail={files.length === 0 ? '' : count(files.length, 'file')}>
      {files.length === 0 ? <li className="py-1 text-faint">Nothing in the workspace.</li> : null}
      {files.slice(0, fewFiles).map(({ path, kind }) => (
        <li key={path} className="mono flex min-h-6 gap-2 [overflow-wrap:anywhere]">
          <span aria-hidden="true" className={changeTone(kind)}>
            {changeSign[kind]}
          </span>
          {visible(path)} <span className="text-faint">{kind}</span>
        </li>
      ))}
      {files.length > fewFiles ? <li className="text-faint">… {files.length - fewFiles} more</li> : null}
      {uncovered.length === 0 ? null : (
        <li className="text-faint">{count(uncovered.length, 'path')} changed that undo does not cover.</li>
      )}
      {files.length === 0 ? null : (
        <li className="mt-1.5">
          <Button onClick={() => go({ tab: 'changes' })}>Show the changes</Button>
        </li>
      )}
    </Part>
  );
}
