import { actionText, judgementOf, planStep, stepState } from '@contract';
import { capital, duration, failureWords, furtherWords, halfwayWords, relativeTo } from '@told';
import type { ReactNode } from 'react';
import { tookOf } from '../../../model/items.ts';
import { riskOf } from '../../../model/risk.ts';
import { bytes } from '../../../model/time.ts';
import { Risk } from '../../../ui/risk.tsx';
import { useKnown } from '../shown.ts';
import type { PaneProps } from './pane.ts';

export function ResultPane({ shown, stepId, attempt, search }: PaneProps) {
  const { run, chronicle } = shown;
  useKnown(shown, [stepId]);
  const step = planStep(run, stepId)!;
  const state = stepState(run, stepId)!;
  const tried = chronicle.attempts(stepId).find(({ index }) => index === attempt);
  const result = tried?.result ?? state.result;
  // Of a loop all items together, unless one of them is looked at.
  const isLoop = state.loop !== null && search.attempt === undefined;
  const tookMs = isLoop ? tookOf(state, chronicle.attempts(stepId)) : (result?.durationMs ?? null);
  const verdict = judgementOf(run, stepId)?.verdict ?? chronicle.judged(stepId)?.verdict;
  const { body, swap } = actionText(step.action);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0} className="min-h-0 flex-1 overflow-auto px-4 py-2 max-md:px-3">
      <dl>
        <Fact name="State">
          {result === null ? (
            capital(state.status)
          ) : result.why === undefined ? (
            <span className="text-done">
              Done{result.exitCode === null ? '' : `, exit ${result.exitCode}`}
            </span>
          ) : (
            <span className="text-fail">{capital(failureWords(result))}</span>
          )}
        </Fact>
        {furtherWords(result) === null ? null : <Fact name="Said">{furtherWords(result)}</Fact>}
        {halfwayWords(result) === null ? null : <Fact name="Halfway">{halfwayWords(result)}</Fact>}
        {tookMs === null ? null : (
          <Fact name="Took">
            <span className="num">{duration(tookMs)}</span>
          </Fact>
        )}
        {isLoop ? (
          <Fact name="Items">
            {state.loop!.done} of {state.loop!.count} done; what follows is of the last one
          </Fact>
        ) : null}
        {result?.sandboxed === undefined ? null : <Fact name="Ran">In a sandbox</Fact>}
        <Fact name="Expects">
          {step.expects === undefined ? (
            <span className="text-faint">Nothing in particular</span>
          ) : (
            <code className="mono">{step.expects}</code>
          )}
          {result?.expectation ? (
            <p className={result.expectation.held ? 'text-done' : 'text-fail'}>
              {result.expectation.held ? '✓' : '✗'} {result.expectation.sentence}
            </p>
          ) : null}
        </Fact>
        {step.cwd === undefined ? null : (
          <Fact name="Folder">
            <code className="mono">{step.cwd}</code>
          </Fact>
        )}
        {step.timeoutMs === undefined ? null : (
          <Fact name="Time-out">
            <span className="num">{duration(step.timeoutMs)}</span>
          </Fact>
        )}
        {step.why === undefined ? null : <Fact name="Why">{step.why}</Fact>}
        {verdict === null || verdict === undefined ? null : (
          <Fact name="Risk">
            <Risk level={riskOf(verdict)} word />
            {verdict.reasons.map(({ rule, sentence }) => (
              <p key={rule + sentence} className="text-dim">
                {sentence} <span className="mono text-faint">{rule}</span>
              </p>
            ))}
          </Fact>
        )}
        {result?.session === undefined ? null : (
          <Fact name="Leaves">
            <code className="mono">{relativeTo(run.workspace, result.session.cwd)}</code> as the folder
            {Object.entries(result.session.env).map(([name, value]) => (
              <p key={name} className="mono text-dim [overflow-wrap:anywhere]">
                {value === null ? `unset ${name}` : `${name}=${value}`}
              </p>
            ))}
          </Fact>
        )}
        {result?.captured === undefined ? null : (
          <Fact name={`Captured ${result.captured.key}`}>
            <pre className="mono max-h-60 overflow-auto whitespace-pre-wrap text-dim">
              {Array.isArray(result.captured.value)
                ? result.captured.value.join('\n')
                : result.captured.value}
            </pre>
          </Fact>
        )}
        {result?.service === undefined ? null : (
          <Fact name="Service">
            {result.service.name} {result.service.state}
            {result.service.keep ? ', kept after the run' : ', ends with the run'}
          </Fact>
        )}
        {result === null ? null : (
          <Fact name="Output">
            <span className="num">{bytes(result.outputBytes)}</span>
            {result.outputTruncated ? ', the middle left out' : ''}
            {result.leftover ? '; processes of it still ran when it ended' : ''}
          </Fact>
        )}
        {step.source === undefined ? null : (
          <Fact name="Written in">
            <code className="mono">
              {step.source.file}:{step.source.line}
            </code>
          </Fact>
        )}
        {swap === undefined ? null : (
          <Fact name="Replaces">
            <pre className="mono overflow-auto whitespace-pre-wrap">
              {swap.old.split('\n').map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
                <div key={at} className="text-fail">
                  − {line}
                </div>
              ))}
              {swap.new.split('\n').map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
                <div key={at} className="text-done">
                  + {line}
                </div>
              ))}
            </pre>
          </Fact>
        )}
        {body === undefined ? null : (
          <Fact name="Content">
            <pre className="mono max-h-96 overflow-auto whitespace-pre-wrap text-dim">{body}</pre>
          </Fact>
        )}
      </dl>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[128px_minmax(0,1fr)] gap-4 border-b py-1.5 last:border-0 max-md:grid-cols-[92px_minmax(0,1fr)] max-md:gap-2">
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
