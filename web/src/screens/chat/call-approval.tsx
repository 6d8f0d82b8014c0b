import {
  actionText,
  type CallState,
  type ChatApproval,
  type ChatRequestBody,
  type ChatState,
} from '@contract';
import { editableCall, editedArgs, visible } from '@told';
import { useState } from 'react';
import { say } from '../../api/ask.ts';
import { askChat } from '../../api/ask-chat.ts';
import { callDiffs } from '../../model/call-view.ts';
import { callDecision } from '../../model/decision.ts';
import { Button } from '../../ui/button.tsx';
import { CommandText } from '../../ui/command-text.tsx';
import { Choices, Decided } from '../run/dock/choices.tsx';
import { EditText } from '../run/dock/edit-text.tsx';
import { Reasons, Touches } from '../run/dock/reasons.tsx';
import { Diffs } from './diffs.tsx';

interface CallApprovalProps {
  chat: string;
  state: ChatState;
  call: CallState;
  approval: ChatApproval;
}

type Deciding = Extract<ChatRequestBody, { type: 'approval-decided' }>['decision'];

/** Decides on one call, by the rules of a run: what cannot be undone takes a hand, and Deny is the choice that does least. */
export function CallApproval({ chat, state, call, approval }: CallApprovalProps) {
  const [editing, setEditing] = useState(false);
  const pending = state.inbox.findLast(
    ({ request }) => request.type === 'approval-decided' && request.approvalId === approval.id,
  )?.request as Extract<ChatRequestBody, { type: 'approval-decided' }> | undefined;
  const already = pending?.decision ?? (approval.status === 'granted' ? 'approve' : null);
  const [edited, setEdited] = useState(() => editableCall(call));
  const decision = callDecision(state, approval);
  const said = already === 'did-it' ? 'other' : already;
  const decide = (answer: Deciding, why: string) =>
    askChat(chat, {
      type: 'approval-decided',
      approvalId: approval.id,
      decision: answer,
      ...(why === '' ? {} : { reason: why }),
    });
  const edit = async () => {
    const read = editedArgs(call, edited);
    if (!read.ok) return say(read.message, true);
    // Judged again, it is asked about again: this question is over.
    await askChat(chat, { type: 'edit-requested', callId: call.id, args: read.args });
  };
  const diffs = callDiffs(call);
  const { verb, text } = actionText(approval.subject.action);
  return (
    <div data-testid="approval" className="motion-rise border-wait border-t bg-wait-bg">
      {editing ? (
        <div className="p-2.5">
          <EditText
            text={edited}
            label="The call, to edit"
            saveLabel="Judge it again"
            onChange={setEdited}
            onSave={() => void edit()}
            onCancel={() => setEditing(false)}
          />
        </div>
      ) : diffs.length > 0 ? (
        <Diffs diffs={diffs} />
      ) : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="mx-2.5 mt-2.5 max-h-48 overflow-auto rounded-md border bg-code px-2.5 py-2"
        >
          {verb === null ? null : <span className="mono text-faint">{verb} </span>}
          <CommandText text={text} verdict={verb === null ? approval.verdict : null} />
        </pre>
      )}
      <div className="grid gap-x-6 px-3 pb-2.5 @xl:grid-cols-[minmax(0,1fr)_minmax(0,240px)]">
        <div className="min-w-0">
          <Reasons decision={decision} />
        </div>
        <div className="mt-2 min-w-0">
          <Touches decision={decision} />
        </div>
      </div>
      <div className="px-3 pb-3">
        <p className="pb-2 text-dim">{visible(decision.proposer)}</p>
        <Choices
          {...{ stream: chat, approvalId: approval.id, workspace: state.workspace, decision, already: said }}
          isDangerous={approval.why === 'dangerous'}
          canAlways={approval.why === 'dangerous'}
          whyNot="Why not? The model is told."
          edit={{ isOpen: editing, open: () => setEditing(true) }}
          onDecide={decide}
          more={(busy) =>
            approval.why === 'teacher' ? (
              <Button disabled={busy} onClick={() => void decide('did-it', '')}>
                I did it myself
              </Button>
            ) : null
          }
        />
        <Decided already={said} />
      </div>
    </div>
  );
}
