import type { ModelsView, TestedModel } from '@contract';
import { capital, duration } from '@told';
import { useState } from 'react';
import { attempt, say } from '../../api/ask.ts';
import { client, queries } from '../../api/client.ts';
import { useModels } from '../../api/queries.ts';
import { providerWords } from '../../model/words.ts';
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
            failures. Give a key below, or start Ollama.
          </p>
        )}
        {data.roles.map((role) => (
          <RoleRow key={role.role} role={role} />
        ))}
      </div>
      <section className="px-4 pt-4">
        <h3 className="font-medium">Providers</h3>
        <p className="text-faint text-small leading-5">
          A key is kept for you alone and for this host alone, is never shown again, and goes when the address
          changes. An environment variable is stronger.
        </p>
        {data.providers.map((provider) => (
          <ProviderRow key={provider.provider} {...provider} />
        ))}
      </section>
      <ConfigPage page="models" />
    </>
  );
}

function ProviderRow({ provider, host, isUsable, why }: ModelsView['providers'][number]) {
  const [key, setKey] = useState('');
  const save = async (given: string | null) => {
    if ((await attempt(() => client.setModelKey({ provider, key: given }))) === null) return;
    setKey('');
    say(given === null ? `The key for ${provider} is forgotten` : `The key for ${provider} is kept`);
    void queries.invalidateQueries({ queryKey: ['models'] });
  };
  return (
    <form
      className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-b py-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save(key.trim());
      }}
    >
      <div className="min-w-56 flex-1">
        <p>
          <span aria-hidden="true" className={isUsable ? 'text-done' : 'text-faint'}>
            {isUsable ? '● ' : '○ '}
          </span>
          <span className="mono">{provider}</span> <span className="mono text-faint">{host}</span>
        </p>
        <p className="text-faint text-small leading-5 [overflow-wrap:anywhere]">
          {providerWords({ host, isUsable, why })}
        </p>
      </div>
      <input
        type="password"
        autoComplete="off"
        aria-label={`Key for ${provider}`}
        placeholder="Key"
        value={key}
        disabled={host === ''}
        onChange={(event) => setKey(event.target.value)}
        className="mono h-7 w-52 rounded-md border border-line-strong bg-bg px-2 placeholder:text-faint disabled:opacity-60 max-md:h-9"
      />
      <Button type="submit" disabled={key.trim() === ''}>
        Keep it
      </Button>
      <Button look="ghost" disabled={!isUsable} onClick={() => void save(null)}>
        Forget
      </Button>
    </form>
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
        <Button disabled={busy || role.chain.length === 0} onClick={() => void test()}>
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
