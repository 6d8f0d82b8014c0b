import { actionText } from '@contract';
import type { AgentRequestBody, AgentRunState } from '@tasks';
import { visible } from '@told';
import { askTask } from '../../api/ask-task.ts';
import { useAgentRun } from '../../api/task-queries.ts';
import { agentDecision } from '../../model/decision.ts';
import { CommandText } from '../../ui/command-text.tsx';
import { Risk } from '../../ui/risk.tsx';
import { Choices, Decided } from '../run/dock/choices.tsx';
import { Reasons, Touches } from '../run/dock/reasons.tsx';

/** What the agent that is at a task wants to do, where a person has to say whether it may. */
export function AgentApprovals({ run }: { run: string }) {
  const { data: state } = useAgentRun(run);
  const approval = state?.approvals.find(({ status }) => status === 'needed');
  if (state === undefined || approval === undefined) return null;
  return <AgentApproval key={approval.id} run={run} state={state} approval={approval} />;
}

interface AgentApprovalProps {
  run: string;
  state: AgentRunState;
  approval: AgentRunState['approvals'][number];
}

function AgentApproval({ run, state, approval }: AgentApprovalProps) {
  const decision = agentDecision(state, approval);
  const pending = state.inbox.findLast(
    ({ request }) => request.type === 'approval-decided' && request.approvalId === approval.id,
  )?.request;
  const already = pending?.type === 'approval-decided' ? pending.decision : null;
  const { verb, text } = actionText(approval.subject.action);
  const decide = (answer: 'approve' | 'deny', reason: string) => {
    const given = reason === '' ? {} : { reason };
    const request: AgentRequestBody = {
      type: 'approval-decided',
      approvalId: approval.id,
      decision: answer,
      ...given,
    };
    return askTask(run, request);
  };
  return (
    <section
      aria-label="Decide"
      data-testid="approval"
      className="motion-rise max-h-[50vh] shrink-0 overflow-auto border-wait border-b bg-wait-bg px-4 py-3 max-md:px-3"
    >
      <h2 className="mb-2 flex flex-wrap items-center gap-x-2 font-semibold text-[14px]">
        <Risk level={approval.verdict.level} />
        {visible(decision.proposer)}
      </h2>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-48 overflow-auto rounded-md border bg-code px-2.5 py-2"
      >
        {verb === null ? null : <span className="mono text-faint">{verb} </span>}
        <CommandText text={text} verdict={verb === null ? approval.verdict : null} />
      </pre>
      <div className="@container">
        <div className="grid gap-x-6 pb-2.5 @xl:grid-cols-[minmax(0,1fr)_minmax(0,240px)]">
          <div className="min-w-0">
            <Reasons decision={decision} />
          </div>
          <div className="mt-2 min-w-0">
            <Touches decision={decision} />
          </div>
        </div>
      </div>
      <Choices
        {...{ stream: run, approvalId: approval.id, workspace: decision.workspace, decision, already }}
        isDangerous
        canAlways={false}
        whyNot="Why not? The agent is told."
        onDecide={decide}
      />
      <Decided already={already} />
    </section>
  );
}
