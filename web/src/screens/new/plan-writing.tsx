import type { PlanProblem } from '@contract';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { attempt } from '../../api/ask.ts';
import { client } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Problems } from './problems.tsx';

const Editor = lazy(() => import('./editor.tsx').then((m) => ({ default: m.Editor })));

export type ReadPlan = Extract<Awaited<ReturnType<typeof client.validatePlan>>, { ok: true }>;

interface PlanWritingProps {
  first: string;
  /** What the text is called, in the editor and in what is said of it. */
  label: string;
  name: string;
  workspace: string;
  /** The run whose plan it is to change. */
  run?: string;
  doLabel: string;
  /** Beside the button that sends it. */
  other?: ReactNode;
  /** What was written is a plan. */
  onRead(read: ReadPlan): Promise<void>;
}

/** The text of a plan, written by a person, and read before it is sent: what is wrong in it is said and changes nothing. */
export function PlanWriting(props: PlanWritingProps) {
  const { first, label, name, workspace, run, doLabel, other, onRead } = props;
  // What stands in the editor at the moment of the click, drawn already or not.
  const text = useRef(first);
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState<readonly PlanProblem[]>([]);
  const send = async () => {
    setBusy(true);
    const told = { text: text.current, kind: 'plan' as const, name, workspace };
    const read = await attempt(() => client.validatePlan(run === undefined ? told : { ...told, run }));
    if (read !== null) setProblems(read.problems);
    if (read?.ok === true) await onRead(read);
    setBusy(false);
  };
  return (
    <div className="mt-4 grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="rounded-md border border-line-strong bg-surface">
        <Suspense fallback={<pre className="mono max-h-[50vh] overflow-auto p-3 text-dim">{first}</pre>}>
          <Editor
            text={first}
            kind="plan"
            label={label}
            problems={problems}
            onChange={(now) => {
              text.current = now;
            }}
          />
        </Suspense>
      </div>
      <div className="flex justify-end gap-2">
        {other}
        <Button look="primary" disabled={busy} onClick={() => void send()}>
          {doLabel}
        </Button>
      </div>
      {/* Below the buttons: what comes while somebody presses one does not move it away. */}
      <Problems problems={problems} />
    </div>
  );
}
