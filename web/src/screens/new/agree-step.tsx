import {
  actionText,
  isUndoable,
  type ProposedPlan,
  type RiskReason,
  type RunState,
  type ShownStep,
  type Step,
} from '@contract';
import { count, pathLists, stepTag, unknownPathsWords, visible } from '@told';
import { Ellipsis, Pencil } from 'lucide-react';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { movedStep } from '../../model/agreement.ts';
import { leaves } from '../../model/paths.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CommandText } from '../../ui/command-text.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/menu.tsx';
import { PathList } from '../../ui/path-list.tsx';
import { Risk } from '../../ui/risk.tsx';
import { EditAction } from '../run/dock/edit-action.tsx';
import { changePlan, editStep } from '../run/dock/use-edit.ts';
import type { Shown } from '../run/shown.ts';

interface AgreeStepProps {
  shown: Shown;
  step: Step;
  number: number;
  left: boolean;
  judged: ShownStep | undefined;
  /** What it is for, and how long it takes, before its title. */
  tag: string | null;
}

export const tagOf = (proposed: ProposedPlan | null, at: number): string | null => {
  const step = proposed?.steps[at];
  return step === undefined ? null : stepTag(step);
};

export function AgreeStep({ shown, step, number, left, judged, tag }: AgreeStepProps) {
  const [editing, setEditing] = useState(false);
  const [declining, setDeclining] = useState(false);
  const { verb, text, body } = actionText(judged?.subject.action ?? step.action);
  const verdict = judged?.verdict;
  const strong = verdict?.level === 'dangerous' || verdict?.level === 'blocked';
  const paths = leaves(judged?.subject.paths ?? []);
  return (
    <div
      className={cx(
        'group grid grid-cols-[28px_minmax(0,1fr)_auto] gap-x-3 border-b py-2.5 max-md:grid-cols-[20px_minmax(0,1fr)]',
        strong && '-mx-3 bg-wait-bg px-3',
        left && 'text-faint',
      )}
    >
      <span className="num pt-px text-right text-faint">{number}</span>
      <div className="min-w-0 max-md:col-start-2">
        <p className="[overflow-wrap:anywhere]">
          {tag === null ? null : <span className="mono mr-1.5 text-faint">{tag}</span>}
          {visible(step.title)}
          {left ? <span className="text-faint"> left out</span> : null}
        </p>
        {editing ? (
          <EditAction
            step={step}
            saveLabel="Change the plan"
            onCancel={() => setEditing(false)}
            onSave={(action) => void editStep(shown, step, action).then((sent) => sent && setEditing(false))}
          />
        ) : (
          <p className="text-dim">
            {verb === null ? null : <span className="mono text-faint">{verb} </span>}
            <CommandText text={text} verdict={verb === null ? (verdict ?? null) : null} />
          </p>
        )}
        {body === undefined || editing ? null : (
          <details className="text-faint">
            <summary className="mono w-max">{count(body.split('\n').length, 'line')}</summary>
            <pre className="mono max-h-60 overflow-auto whitespace-pre-wrap text-dim">{body}</pre>
          </details>
        )}
        {declining ? <Decline shown={shown} step={step} onCancel={() => setDeclining(false)} /> : null}
        <Marks run={shown.run} step={step} judged={judged} />
        {strong && paths.length > 0 ? (
          <PathList lists={pathLists(shown.run.workspace, paths)} all={paths} few={6} />
        ) : null}
      </div>
      <div className="flex items-start gap-1 max-md:col-start-2 max-md:row-start-1 max-md:items-center">
        {verdict === undefined ? null : (
          <span className="order-last max-md:order-none">
            <Risk level={verdict.level} word />
          </span>
        )}
        <IconButton label={`Edit step ${number}`} onClick={() => setEditing(true)} className={tool}>
          <Pencil size={13} />
        </IconButton>
        <StepTools shown={shown} step={step} number={number} onDecline={() => setDeclining(true)} />
      </div>
    </div>
  );
}

const tool =
  '-my-1 opacity-0 focus-visible:opacity-100 group-hover:opacity-100 aria-expanded:opacity-100 max-md:opacity-100 pointer-coarse:opacity-100';

interface StepToolsProps {
  shown: Shown;
  step: Step;
  number: number;
  onDecline(): void;
}

/** Where in the plan the step stands, and whether it is there at all. */
function StepTools({ shown, step, number, onDecline }: StepToolsProps) {
  const plan = shown.run.plan!;
  const [up, down] = [movedStep(plan, number - 1, -1), movedStep(plan, number - 1, 1)];
  return (
    <Menu
      trigger={
        <IconButton label={`More about step ${number}`} className={tool}>
          <Ellipsis size={14} />
        </IconButton>
      }
      items={[
        { label: 'Move up', disabled: up === null, onSelect: () => void changePlan(shown, up!) },
        { label: 'Move down', disabled: down === null, onSelect: () => void changePlan(shown, down!) },
        ...(shown.run.planning === null ? [] : [{ label: 'Plan it differently…', onSelect: onDecline }]),
        null,
        {
          label: 'Take it out of the plan',
          danger: true,
          disabled: plan.steps.length < 2,
          onSelect: () => void changePlan(shown, [{ op: 'remove', stepId: step.id }]),
        },
      ]}
    />
  );
}

/** Says what is wrong with a step; the plan is made anew from there. */
function Decline({ shown, step, onCancel }: { shown: Shown; step: Step; onCancel(): void }) {
  const [reason, setReason] = useState('');
  return (
    <form
      className="my-1 flex flex-wrap gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void ask(shown.id, { type: 'replan-requested', stepId: step.id, reason: reason.trim() });
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the person asked to say why
        autoFocus
        aria-label="What is wrong with it"
        placeholder="What is wrong with it?"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
        className="h-7 min-w-48 flex-1 rounded-md border border-line-strong bg-code px-2.5 placeholder:text-faint"
      />
      <Button type="submit" disabled={reason.trim() === ''}>
        Plan it differently
      </Button>
      <Button look="ghost" onClick={onCancel}>
        Back
      </Button>
    </form>
  );
}

/** Two words of a command may earn the same sentence. */
const unique = (reasons: readonly RiskReason[]): RiskReason[] => [
  ...new Map(reasons.map((reason) => [reason.sentence, reason])).values(),
];

/** Why it is risky, what it expects, where it was written. */
function Marks({ run, step, judged }: { run: RunState; step: Step; judged: ShownStep | undefined }) {
  const verdict = judged?.verdict;
  const strong = verdict?.level === 'dangerous' || verdict?.level === 'blocked';
  return (
    <p className="flex flex-wrap gap-x-4 text-small leading-5 text-faint empty:hidden">
      {strong
        ? unique(verdict?.reasons ?? [])
            .filter(({ rule }) => rule !== 'not-proven-safe')
            .map(({ sentence, level }) => (
              <span
                key={sentence}
                className={level === 'dangerous' || level === 'blocked' ? 'font-medium text-text' : ''}
              >
                {visible(sentence)}
              </span>
            ))
        : null}
      {strong && judged !== undefined && !isUndoable(judged, run) ? (
        <span className="font-medium text-fail">cannot be undone</span>
      ) : null}
      {judged?.subject.unknownPaths === undefined ? null : (
        <span>{unknownPathsWords(judged.subject.unknownPaths)}</span>
      )}
      {verdict?.needs.map((need) => (
        <span key={need}>needs {need === 'network' ? 'the network' : 'higher rights'}</span>
      ))}
      {step.expects === undefined ? null : (
        <span>
          expects <span className="mono ml-1 text-[11.5px]">{step.expects}</span>
        </span>
      )}
      {step.source === undefined ? null : (
        <span className="mono text-[11.5px]">
          {step.source.file.split('/').at(-1)}:{step.source.line}
        </span>
      )}
      {step.why === undefined ? null : <span>{step.why}</span>}
    </p>
  );
}
