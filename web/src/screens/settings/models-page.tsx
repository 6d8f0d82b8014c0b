import type { ModelsView, TestedModel } from '@contract';
import { capital, duration } from '@told';
import { useState } from 'react';
import { attempt } from '../../api/ask.ts';
import { client } from '../../api/client.ts';
import { useModels } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton, Trouble } from '../../ui/notice.tsx';
import { ConfigPage } from './config-page.tsx';

type Role = ModelsView['roles'][number];

export function ModelsPage() {
  const { data, error, refetch } = useModels();
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={6} />;
  const any = data.roles.some(({ chain }) => chain.some(({ available }) => available));
  return (
    <>
      <div className="px-4 pt-3">
        {any ? null : (
          <p className="mb-3 rounded-md border px-3 py-2 text-dim">
            No model answers here. Plans and runbooks run without one, and rules and memory mend the usual
            failures. Set ANTHROPIC_API_KEY or OPENAI_API_KEY before planwright serve, or start Ollama.
          </p>
        )}
        {data.roles.map((role) => (
          <RoleRow key={role.role} role={role} />
        ))}
      </div>
      <ConfigPage page="models" />
    </>
  );
}

function RoleRow({ role }: { role: Role }) {
  const [tested, setTested] = useState<TestedModel | null>(null);
  const [busy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    setTested(await attempt(() => client.testModel({ role: role.role })));
    setBusy(false);
  };
  return (
    <section className="border-b py-2">
      <div className="flex items-center gap-3">
        <h3 className="w-20 font-medium">{capital(role.role)}</h3>
        <ul className="min-w-0 flex-1">
          {role.chain.length === 0 ? <li className="text-faint">nothing set up</li> : null}
          {role.chain.map(({ provider, model, available, detail }) => (
            <li key={`${provider}/${model}`} className="flex flex-wrap gap-x-3">
              <code className="mono">
                <span aria-hidden="true">{available ? '● ' : '○ '}</span>
                {provider}/{model}
              </code>
              <span className="text-faint">{detail}</span>
            </li>
          ))}
        </ul>
        <Button disabled={busy} onClick={() => void test()}>
          {busy ? 'Asking…' : 'Test'}
        </Button>
      </div>
      {tested === null ? null : (
        <p role="status" className={tested.ok ? 'text-done' : 'text-fail'}>
          {tested.message}
          {tested.durationMs === null ? '' : ` (${duration(tested.durationMs)})`}
        </p>
      )}
    </section>
  );
}
