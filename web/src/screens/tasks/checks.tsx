import type { AgentRunState, CheckResult } from '@tasks';
import { count, duration, visible, visibleLines } from '@told';

/** What setting up came to, what was found of what the agent left, and what did not pass. */
export function Checks({ run }: { run: AgentRunState }) {
  const { setup, attempts, changes, worktree } = run;
  const tried = attempts.filter(({ validation }) => validation !== null);
  const isNothing = setup === null && tried.length === 0 && changes === null && worktree === null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0} className="grid min-h-0 flex-1 content-start gap-4 overflow-auto px-4 py-3 max-md:px-3">
      {isNothing ? <p className="text-faint">Nothing has been checked yet.</p> : null}
      {worktree === null ? null : (
        <section className="min-w-0">
          <h3 className="font-medium">Worktree</h3>
          <p className="mono text-dim [overflow-wrap:anywhere]">{visible(worktree.path)}</p>
          <ul className="text-wait">
            {worktree.warnings.map((warning) => (
              <li key={warning}>{visible(warning)}</li>
            ))}
          </ul>
        </section>
      )}
      {setup === null ? null : <Results title="Set-up" ok={setup.ok} results={setup.results} />}
      {tried.map(({ n, validation }) => (
        <Results
          key={n}
          title={attempts.length > 1 ? `Validation of attempt ${n}` : 'Validation'}
          ok={validation!.ok}
          results={validation!.results}
        />
      ))}
      {changes === null ? null : (
        <section>
          <h3 className="font-medium">Changes</h3>
          <p className="text-dim">
            {count(changes.commits, 'commit')}, {count(changes.files, 'file')}
          </p>
          {changes.foreign.length === 0 ? null : (
            <p className="text-wait">
              It also moved what is not its own, which was put back: {changes.foreign.join(', ')}
            </p>
          )}
        </section>
      )}
    </div>
  );
}

function Results({ title, ok, results }: { title: string; ok: boolean; results: readonly CheckResult[] }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="font-medium">
        {title} <span className={ok ? 'text-done' : 'text-fail'}>{ok ? 'passed' : 'did not pass'}</span>
      </h3>
      {results.length === 0 ? <p className="text-faint">The project has no commands for it.</p> : null}
      <ul className="grid gap-2">
        {results.map(({ command, exitCode, tail, durationMs }) => (
          <li key={command} className="min-w-0">
            <p className="mono flex gap-2">
              <span className={exitCode === 0 ? 'text-done' : 'text-fail'}>{exitCode === 0 ? '✓' : '✕'}</span>
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{visible(command)}</span>
              <span className="text-faint">
                {exitCode === null ? 'ended' : `exit ${exitCode}`}, {duration(durationMs)}
              </span>
            </p>
            {tail === '' ? null : (
              <pre className="mono mt-1 max-h-64 overflow-auto whitespace-pre-wrap rounded-md bg-code px-2.5 py-1.5 text-dim [overflow-wrap:anywhere]">
                {visibleLines(tail)}
              </pre>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
