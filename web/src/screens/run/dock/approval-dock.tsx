import type { ApprovalDecision, ApprovalState, Step } from '@contract';
import { actionText } from '@contract';
import { count, pendingDecision, relativeTo, visible } from '@told';
import { useEffect, useState } from 'react';
import { ask, attempt, say } from '../../../api/ask.ts';
import { client } from '../../../api/client.ts';
import { type Decision, decisionOf } from '../../../model/decision.ts';
import { leaves, shortPath } from '../../../model/paths.ts';
import { useKeys } from '../../../shell/keys.ts';
import { Button } from '../../../ui/button.tsx';
import { CommandText } from '../../../ui/command-text.tsx';
import { PathList } from '../../../ui/path-list.tsx';
import { Risk } from '../../../ui/risk.tsx';
import type { Shown } from '../shown.ts';
import { EditAction } from './edit-action.tsx';
import { Frame, Looks, useDefaultFocus, useSettled } from './frame.tsx';
import { editStep } from './use-edit.ts';

interface ApprovalDockProps {
  shown: Shown;
  step: Step;
  approval: ApprovalState;
}

export function ApprovalDock({ shown, step, approval }: ApprovalDockProps) {
  const { run, id } = shown;
  const [part, setPart] = useState<'choose' | 'reason' | 'edit' | 'always'>('choose');
  const [reason, setReason] = useState('');
  const [sending, setSending] = useState(false);
  const already = pendingDecision(run, approval.id);
  const busy = sending || already !== null;
  // Until what was sent is heard of.
  // biome-ignore lint/correctness/useExhaustiveDependencies: this says that it was
  useEffect(() => setSending(false), [already]);
  const settled = useSettled();
  const deny = useDefaultFocus<HTMLButtonElement>();
  const decision = decisionOf(run, step, approval);
  const { verb, text } = actionText(approval.subject.action);
  const decide = async (answer: ApprovalDecision, why = '') => {
    setSending(true);
    const given = why.trim() === '' ? {} : { reason: why.trim() };
    const sent = await ask(id, {
      type: 'approval-decided',
      approvalId: approval.id,
      decision: answer,
      ...given,
    });
    if (!sent) setSending(false);
  };
  const always = async () => {
    const allowed = await attempt(() => client.allowHere({ run: id, approvalId: approval.id }));
    if (allowed === null) return;
    say(allowed.sentence);
    await decide('approve');
  };
  useKeys(
    { a: () => void decide('approve'), d: () => void decide('deny'), e: () => setPart('edit') },
    settled && part === 'choose' && !busy,
  );
  return (
    <Frame label="Decide" aside={<Touches decision={decision} shown={shown} approval={approval} />}>
      <h2 className="mb-2 flex flex-wrap items-center gap-x-2 font-semibold text-[14px]">
        <Risk level={approval.verdict.level} />
        {step.title}
        <span className="font-normal text-base text-dim">{decision.proposer}</span>
      </h2>
      {part === 'edit' ? (
        <EditAction
          step={step}
          saveLabel="Judge it again"
          onCancel={() => setPart('choose')}
          onSave={(action) => void editStep(shown, step, action).then((sent) => sent && setPart('choose'))}
        />
      ) : (
        <pre className="max-h-48 overflow-auto rounded-md border bg-code px-2.5 py-2">
          {verb === null ? null : <span className="mono text-faint">{verb} </span>}
          <CommandText text={text} verdict={verb === null ? approval.verdict : null} />
        </pre>
      )}
      <Whole decision={decision} />
      <Reasons decision={decision} />
      {already === null ? null : (
        <p role="status" className="mt-3 font-medium">
          {already === 'deny'
            ? 'Denied. It is not acted on yet, and nothing of it will run.'
            : 'Approved, and not begun yet: Deny still takes that back.'}
        </p>
      )}
      {part === 'choose' ? (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button
            ref={deny}
            hint="⏎"
            disabled={sending || already === 'deny'}
            onClick={() => void decide('deny')}
            className="border-text font-medium"
          >
            Deny
          </Button>
          <Button look="danger" hint="a" disabled={busy} onClick={() => void decide('approve')}>
            {decision.approveLabel}
          </Button>
          <Button hint="e" disabled={busy} onClick={() => setPart('edit')}>
            Edit…
          </Button>
          <Button disabled={busy} onClick={() => setPart('always')}>
            Always allow here…
          </Button>
          <Button look="ghost" disabled={busy} onClick={() => setPart('reason')}>
            Deny, say why…
          </Button>
        </div>
      ) : null}
      {part === 'reason' ? (
        <form
          className="mt-3 flex flex-wrap gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            void decide('deny', reason);
          }}
        >
          <input
            // biome-ignore lint/a11y/noAutofocus: the person asked to write a reason
            autoFocus
            aria-label="Why not"
            placeholder="Why not? It is told to whoever proposed this."
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setPart('choose')}
            className="h-7 min-w-60 flex-1 rounded-md border border-line-strong bg-code px-2.5 placeholder:text-faint"
          />
          <Button type="submit" disabled={busy} className="border-text font-medium">
            Deny
          </Button>
          <Button look="ghost" onClick={() => setPart('choose')}>
            Back
          </Button>
        </form>
      ) : null}
      {part === 'always' ? (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <p className="basis-full text-dim">
            Exactly this, in <code className="mono">{shortPath(run.workspace)}</code>, is not asked about for
            the next 90 days. Settings → Rules takes that back.
          </p>
          <Button look="danger" disabled={busy} onClick={() => void always()}>
            Always allow it, and run it now
          </Button>
          <Button look="ghost" onClick={() => setPart('choose')}>
            Back
          </Button>
        </div>
      ) : null}
    </Frame>
  );
}

/** A correction of several steps is decided on as one: none of it runs before. */
function Whole({ decision: { parts } }: { decision: Decision }) {
  if (parts.length === 0) return null;
  return (
    <section
      aria-label="The whole correction"
      className="mt-2 rounded-r-md border-mind border-l-2 bg-mind-bg px-3 py-2"
    >
      <h3 className="font-semibold text-mind">The whole correction, in this order</h3>
      <ol className="mt-1 grid max-h-48 list-decimal gap-1 overflow-auto pl-5">
        {parts.map(({ step, level, asked }) => {
          const { verb, text } = actionText(step.action);
          return (
            <li key={step.id} aria-current={asked ? 'step' : undefined} className="marker:text-faint">
              {level === null ? null : <Risk level={level} />}
              <span className={asked ? 'mx-1.5 font-medium' : 'mx-1.5 text-dim'}>{step.title}</span>
              <code className="mono whitespace-pre-wrap text-dim [overflow-wrap:anywhere]">
                {verb === null ? text : `${verb} ${text}`}
              </code>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function Reasons({ decision }: { decision: Decision }) {
  return (
    <ul className="mt-2 grid gap-0.5 text-dim">
      {decision.warning === null ? null : <li className="text-wait">{decision.warning}</li>}
      {decision.reasons.map(({ sentence }) => (
        <li key={sentence} className="font-medium text-text">
          {visible(sentence)}
        </li>
      ))}
      <Looks looks={decision.looks} />
      {decision.needs === null ? null : <li>{decision.needs}</li>}
      <li className={decision.lasting ? 'font-medium text-fail' : ''}>{visible(decision.undo)}</li>
      <li>
        <b className="font-medium text-text">If you deny:</b> {decision.ifDenied}
      </li>
    </ul>
  );
}

interface TouchesProps {
  decision: Decision;
  shown: Shown;
  approval: ApprovalState;
}

function Touches({ decision, shown, approval }: TouchesProps) {
  const { paths } = decision;
  const folder = relativeTo(shown.run.workspace, decision.folder);
  const every = leaves(approval.subject.paths.length > 0 ? approval.subject.paths : approval.verdict.paths);
  return (
    <>
      {paths === null ? null : (
        <p className="text-dim">
          Would touch <b className="num font-medium text-text">{count(paths.count, 'path')}</b>
        </p>
      )}
      {paths === null ? null : <PathList lists={paths} all={every} />}
      <p className="mt-1 text-dim">
        Runs in{' '}
        <span className="mono [overflow-wrap:anywhere]">
          {visible(folder === '.' ? shortPath(shown.run.workspace) : folder)}
        </span>
      </p>
      {decision.unknownPaths === null ? null : (
        <p className="mt-1 font-medium text-text">{visible(decision.unknownPaths)}</p>
      )}
    </>
  );
}
