import type { ApprovalDecision, ApprovalState, Step } from '@contract';
import { actionText } from '@contract';
import { pendingDecision } from '@told';
import { useState } from 'react';
import { ask } from '../../../api/ask.ts';
import { type Decision, decisionOf } from '../../../model/decision.ts';
import { CommandText } from '../../../ui/command-text.tsx';
import { Risk } from '../../../ui/risk.tsx';
import type { Shown } from '../shown.ts';
import { Choices, Decided } from './choices.tsx';
import { EditAction } from './edit-action.tsx';
import { Frame } from './frame.tsx';
import { Reasons, Touches } from './reasons.tsx';
import { editStep } from './use-edit.ts';

interface ApprovalDockProps {
  shown: Shown;
  step: Step;
  approval: ApprovalState;
}

export function ApprovalDock({ shown, step, approval }: ApprovalDockProps) {
  const { run, id } = shown;
  const [editing, setEditing] = useState(false);
  const already = pendingDecision(run, approval.id);
  const decision = decisionOf(run, step, approval);
  const { verb, text } = actionText(approval.subject.action);
  const decide = (answer: ApprovalDecision, why: string) =>
    ask(id, {
      type: 'approval-decided',
      approvalId: approval.id,
      decision: answer,
      ...(why === '' ? {} : { reason: why }),
    });
  const said = already === null || already === 'approve' || already === 'deny' ? already : 'other';
  const choices = (
    <Choices
      {...{ stream: id, approvalId: approval.id, workspace: run.workspace, decision, already: said }}
      isDangerous
      canAlways
      whyNot="Why not? It is told to whoever proposed this."
      edit={{ isOpen: editing, open: () => setEditing(true) }}
      onDecide={decide}
    />
  );
  return (
    <Frame label="Decide" aside={<Touches decision={decision} />} choices={choices}>
      <h2 className="mb-2 flex flex-wrap items-center gap-x-2 font-semibold text-[14px]">
        <Risk level={approval.verdict.level} />
        {step.title}
        <span className="font-normal text-base text-dim">{decision.proposer}</span>
      </h2>
      {editing ? (
        <EditAction
          step={step}
          saveLabel="Judge it again"
          onCancel={() => setEditing(false)}
          onSave={(action) => void editStep(shown, step, action).then((sent) => sent && setEditing(false))}
        />
      ) : (
        <pre className="max-h-48 overflow-auto rounded-md border bg-code px-2.5 py-2">
          {verb === null ? null : <span className="mono text-faint">{verb} </span>}
          <CommandText text={text} verdict={verb === null ? approval.verdict : null} />
        </pre>
      )}
      <Whole decision={decision} />
      <Reasons decision={decision} />
      <Decided already={said} />
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
