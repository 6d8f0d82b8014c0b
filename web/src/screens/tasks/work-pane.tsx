import { dollars } from '@contract';
import { Link } from '@tanstack/react-router';
import { type AgentRunState, modeWords, type Phase, phaseSentence, type TaskView } from '@tasks';
import { duration, visible, visibleLines } from '@told';
import { useState } from 'react';
import type { TaskSearch } from '../../addresses.ts';
import { useAgentRun } from '../../api/task-queries.ts';
import { useAgentOutput, useOutput } from '../../api/use-output.ts';
import { cx } from '../../ui/cx.ts';
import { Skeleton, Trouble } from '../../ui/notice.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { toneText } from '../../ui/tone.ts';
import { useNow } from '../../ui/use-now.ts';
import { OutputView } from '../run/panes/output-view.tsx';
import { Checks } from './checks.tsx';

interface WorkPaneProps {
  view: TaskView;
  search: TaskSearch;
  go(change: TaskSearch): void;
}

/** Every stay in a mode, and what the agent said, was told and left in the one that is chosen: the last, where none is. */
export function WorkPane({ view, search, go }: WorkPaneProps) {
  const { phases } = view.state;
  const chosen = phases.find(({ n }) => n === search.phase) ?? phases.at(-1);
  if (chosen === undefined)
    return (
      <p className="p-4 text-faint">
        No agent has been at it yet. Move it on, and what one does is shown here.
      </p>
    );
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[200px_minmax(0,1fr)] max-lg:grid-cols-[minmax(0,1fr)] max-lg:grid-rows-[auto_minmax(0,1fr)]">
      <nav aria-label="Phases" className="min-h-0 overflow-auto border-r max-lg:border-r-0 max-lg:border-b">
        <ol className="max-lg:flex">
          {phases.map((phase) => (
            <li key={phase.n} className="shrink-0">
              <PhaseButton
                phase={phase}
                current={phase === chosen}
                onChoose={() => go({ tab: 'work', phase: phase.n })}
              />
            </li>
          ))}
        </ol>
      </nav>
      <PhaseView key={chosen.run} phase={chosen} />
    </div>
  );
}

function PhaseButton({ phase, current, onChoose }: { phase: Phase; current: boolean; onChoose(): void }) {
  const { mode, agent, startedAt, endedAt, status } = phase;
  const now = useNow(status === 'active');
  const { tone } = phaseSentence(phase);
  return (
    <button
      type="button"
      aria-current={current ? 'true' : undefined}
      onClick={onChoose}
      className={cx(
        'w-full border-b px-3 py-2 text-left hover:bg-hover max-lg:border-r max-lg:border-b-0',
        current && 'bg-sel',
      )}
    >
      <span className="flex items-baseline gap-2">
        <span
          aria-hidden="true"
          className={cx('text-small', toneText[tone], status === 'active' && 'motion-breathe')}
        >
          {{ active: '◉', done: '●', failed: '✕', stopped: '○' }[status]}
        </span>
        <span className="min-w-0 flex-1 truncate">{modeWords(mode)}</span>
        <span className="num text-faint">{duration((endedAt ?? now) - startedAt)}</span>
      </span>
      <span className="mono block truncate pl-4.5 text-[11.5px] text-faint">{visible(agent)}</span>
    </button>
  );
}

type Part = 'output' | 'prompt' | 'checks';

function PhaseView({ phase }: { phase: Phase }) {
  const { data: run, error, refetch } = useAgentRun(phase.run);
  const [part, setPart] = useState<Part>('output');
  const [chosen, setChosen] = useState<number | null>(null);
  const { text, tone } = phaseSentence(phase);
  const attempts = run?.attempts ?? [];
  const attempt = attempts.find(({ n }) => n === chosen) ?? attempts.at(-1);
  const said = phase.payload?.summary ?? phase.payload?.planSummary ?? phase.payload?.investigationSummary;
  const isConversation = phase.agent === 'planwright' && run?.session != null;
  return (
    <div className="flex min-h-0 min-w-0 flex-col max-lg:min-h-80">
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 border-b px-4 py-2 max-md:px-3">
        <Segmented<Part>
          label="What to see of this phase"
          value={part}
          choices={[
            { value: 'output', label: 'Output' },
            { value: 'prompt', label: 'Prompt' },
            { value: 'checks', label: 'Checks' },
          ]}
          onChange={setPart}
        />
        {attempts.length < 2 ? null : (
          <select
            aria-label="Attempt"
            value={attempt?.n}
            onChange={({ target }) => setChosen(Number(target.value))}
            className="h-7 rounded-md border bg-transparent px-1.5 text-dim max-md:h-9"
          >
            {attempts.map(({ n }) => (
              <option key={n} value={n}>
                Attempt {n}
              </option>
            ))}
          </select>
        )}
        <span className={cx('min-w-0 [overflow-wrap:anywhere]', toneText[tone])}>{visible(text)}</span>
        {phase.costUsd > 0 ? <span className="num text-faint">{dollars(phase.costUsd)}</span> : null}
        {isConversation ? (
          <Link
            to="/chats/$chat"
            params={{ chat: run.session! }}
            className="ml-auto underline underline-offset-4"
          >
            Its conversation
          </Link>
        ) : null}
      </div>
      {said === undefined || said === '' ? null : (
        <p className="shrink-0 whitespace-pre-wrap border-b px-4 py-2 text-dim max-md:px-3">
          {visibleLines(said)}
        </p>
      )}
      {run === undefined && error !== null ? <Trouble error={error} retry={() => void refetch()} /> : null}
      {run === undefined && error === null ? <Skeleton rows={4} /> : null}
      {run === undefined ? null : (
        <>
          {part === 'output' ? <AgentOutput run={run} phase={phase} attempt={attempt?.n ?? null} /> : null}
          {part === 'prompt' ? <Prompt run={run} /> : null}
          {part === 'checks' ? <Checks run={run} /> : null}
        </>
      )}
    </div>
  );
}

function AgentOutput({ run, phase, attempt }: { run: AgentRunState; phase: Phase; attempt: number | null }) {
  if (attempt !== null) return <AttemptOutput key={attempt} run={run} phase={phase} attempt={attempt} />;
  return (
    <p className="p-4 text-faint">
      {run.worktreeFailure !== null
        ? `Its worktree could not be made: ${run.worktreeFailure.message}`
        : phase.status === 'active'
          ? 'Its worktree is being made ready.'
          : 'It did not begin.'}
    </p>
  );
}

function AttemptOutput({ run, phase, attempt }: { run: AgentRunState; phase: Phase; attempt: number }) {
  const source = useAgentOutput(phase.run, attempt);
  const output = useOutput(source);
  const [line, setLine] = useState<number | undefined>(undefined);
  const running = phase.status === 'active' && run.attempts.at(-1)?.n === attempt;
  const isStill = output.ended || (!running && output.isRead);
  return (
    <OutputView
      output={output}
      url={source.url}
      folder={run.worktree?.path ?? run.place.workspace}
      live={running}
      running={running}
      nothing={isStill ? 'It said nothing.' : null}
      line={line}
      onLine={setLine}
    />
  );
}

/** What the agent was told, word by word. */
function Prompt({ run }: { run: AgentRunState }) {
  if (run.prompt === null) return <p className="p-4 text-faint">It has not been built yet.</p>;
  const { text, from, warning } = run.prompt;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0} className="min-h-0 flex-1 overflow-auto bg-code">
      <p className="border-b bg-bg px-4 py-1.5 text-faint max-md:px-3">
        {from === 'template'
          ? 'Built from the project’s own template.'
          : 'Built from the template that comes with Planwright.'}
        {warning === null ? null : <span className="text-wait"> {visible(warning)}</span>}
      </p>
      <pre className="mono whitespace-pre-wrap px-4 py-2 text-dim [overflow-wrap:anywhere] max-md:px-3">
        {visibleLines(text)}
      </pre>
    </div>
  );
}
