import { type ReactNode, useEffect, useState } from 'react';
import type { Decision } from '../../../model/decision.ts';
import { useKeys } from '../../../shell/keys.ts';
import { Button } from '../../../ui/button.tsx';
import { ReasonForm } from '../../../ui/reason-form.tsx';
import { Always } from './always.tsx';
import { useDefaultFocus, useSettled } from './frame.tsx';

interface ChoicesProps {
  /** The run, the conversation or the agent run that asks, and what it asks by. */
  stream: string;
  approvalId: string;
  workspace: string;
  decision: Decision;
  /** What somebody has decided and nobody has acted on yet. */
  already: 'approve' | 'deny' | 'other' | null;
  isDangerous: boolean;
  /** What stands where a reason is to be written. */
  whyNot: string;
  /** Left out where it cannot be edited. While it is edited, nothing is chosen. */
  edit?: { isOpen: boolean; open(): void } | undefined;
  /** A rule can be made of it. */
  canAlways: boolean;
  /** Resolves with whether it could be asked. */
  onDecide(answer: 'approve' | 'deny', reason: string): Promise<boolean>;
  /** Further buttons. */
  more?: (busy: boolean) => ReactNode;
}

/** Yes, no, and what is between: what cannot be undone takes a hand, and Deny is the choice that does least. */
export function Choices(props: ChoicesProps) {
  const { decision, already, edit, isDangerous, canAlways, onDecide } = props;
  const [part, setPart] = useState<'choose' | 'reason' | 'always'>('choose');
  const [reason, setReason] = useState('');
  const [sending, setSending] = useState(false);
  const busy = sending || already !== null;
  // Until what was sent is heard of.
  // biome-ignore lint/correctness/useExhaustiveDependencies: this says that it was
  useEffect(() => setSending(false), [already]);
  const settled = useSettled();
  const deny = useDefaultFocus<HTMLButtonElement>();
  const decide = async (answer: 'approve' | 'deny', why = '') => {
    setSending(true);
    if (!(await onDecide(answer, why.trim()))) setSending(false);
  };
  useKeys(
    {
      // What cannot be taken back takes a hand.
      ...(decision.lasting ? {} : { a: () => void decide('approve') }),
      d: () => void decide('deny'),
      ...(edit === undefined ? {} : { e: edit.open }),
    },
    settled && part === 'choose' && !busy && edit?.isOpen !== true,
  );
  if (edit?.isOpen === true) return null;
  if (part === 'reason')
    return (
      <ReasonForm
        reason={reason}
        placeholder={props.whyNot}
        label="Deny"
        busy={busy}
        onChange={setReason}
        onSend={() => void decide('deny', reason)}
        onBack={() => setPart('choose')}
      />
    );
  if (part === 'always')
    return (
      <Always
        stream={props.stream}
        approvalId={props.approvalId}
        workspace={props.workspace}
        busy={busy}
        onAllowed={() => void decide('approve')}
        onBack={() => setPart('choose')}
      />
    );
  return (
    <div className="@container">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          ref={deny}
          hint="⏎"
          disabled={sending || already === 'deny'}
          onClick={() => void decide('deny')}
          className="border-text font-medium"
        >
          Deny
        </Button>
        <Button
          look={isDangerous ? 'danger' : 'plain'}
          {...(decision.lasting ? {} : { hint: 'a' })}
          disabled={busy}
          onClick={() => void decide('approve')}
        >
          {decision.approveLabel}
        </Button>
        {edit === undefined ? null : (
          <Button hint="e" disabled={busy} onClick={edit.open}>
            Edit…
          </Button>
        )}
        {/* Where all do not fit in one row, those that ask for more stand in the second together. */}
        <span className="hidden basis-full @max-[40rem]:block" />
        {canAlways ? (
          <Button disabled={busy} onClick={() => setPart('always')}>
            Always allow here…
          </Button>
        ) : null}
        {props.more?.(busy)}
        <Button look="ghost" disabled={busy} onClick={() => setPart('reason')}>
          Deny, say why…
        </Button>
      </div>
    </div>
  );
}

/** What was decided and not acted on yet. */
export function Decided({ already }: Pick<ChoicesProps, 'already'>) {
  return already === null ? null : (
    <p role="status" className="mt-2 font-medium">
      {already === 'deny'
        ? 'Denied. Nothing of it will run.'
        : 'Approved, and not begun yet: Deny still takes that back.'}
    </p>
  );
}
