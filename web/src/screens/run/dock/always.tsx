import { attempt, say } from '../../../api/ask.ts';
import { client } from '../../../api/client.ts';
import { shortPath } from '../../../model/paths.ts';
import { Button } from '../../../ui/button.tsx';

interface AlwaysProps {
  /** The run or the conversation that asks. */
  stream: string;
  approvalId: string;
  workspace: string;
  busy: boolean;
  /** A rule was made, or it was said why none could be: it is approved now. */
  onAllowed(): void;
  onBack(): void;
}

/** "Always allow here": a rule for exactly what is asked, and what is asked is done. */
export function Always({ stream, approvalId, workspace, busy, onAllowed, onBack }: AlwaysProps) {
  const allow = async () => {
    const allowed = await attempt(() => client.allowHere({ stream, approvalId }));
    if (allowed === null) return;
    say(allowed.sentence);
    onAllowed();
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="basis-full text-dim">
        Exactly this, in <code className="mono">{shortPath(workspace)}</code>, is not asked about for the next
        90 days. Settings → Rules takes that back.
      </p>
      <Button look="danger" disabled={busy} onClick={() => void allow()}>
        Always allow it, and run it now
      </Button>
      <Button look="ghost" onClick={onBack}>
        Back
      </Button>
    </div>
  );
}
