import type { ServiceView } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ago, visible } from '@told';
import { ask } from '../api/ask.ts';
import { client, queries } from '../api/client.ts';
import { setLook } from '../api/look.ts';
import { shortPath } from '../model/paths.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Skeleton, Trouble } from '../ui/notice.tsx';
import { useNow } from '../ui/use-now.ts';

const close = () => setLook({ open: null });

/** What runs have started and nobody has ended: where it answers, its log, and its end. */
export function Services() {
  const { data, error, refetch } = useQuery({
    queryKey: ['services'],
    queryFn: () => client.listServices(),
    refetchInterval: 3000,
    staleTime: 0,
  });
  return (
    <Dialog open onOpenChange={close} title="Services" wide>
      {error !== null ? <Trouble error={error} retry={() => void refetch()} /> : null}
      {data === undefined && error === null ? <Skeleton rows={3} /> : null}
      {data?.services.length === 0 ? (
        <p className="p-4 text-dim">No run has a service that is still there.</p>
      ) : null}
      <ul className="overflow-auto">
        {data?.services.map((service) => (
          <Service key={`${service.run}/${service.name}`} service={service} />
        ))}
      </ul>
    </Dialog>
  );
}

function Service({ service }: { service: ServiceView }) {
  const { run, name, stepId, attemptIndex, goal, command, alive, keep, runEnded, ports, since, workspace } =
    service;
  const now = useNow(true, 30_000);
  const stop = async () => {
    if (await ask(run, { type: 'service-stop-requested', name }))
      void queries.invalidateQueries({ queryKey: ['services'] });
  };
  const state = alive === null ? 'on another host' : alive ? 'running' : 'gone';
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-2.5 last:border-0">
      <div className="min-w-60 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <b className="font-medium">{visible(name)}</b>
          <span className={alive === true ? 'text-done' : 'text-wait'}>{state}</span>
          <span className="text-faint">
            {keep ? 'kept after its run' : runEnded ? 'its run has ended' : 'ends with its run'}
            {since === null ? '' : ` · since ${ago(since, now)}`}
          </span>
        </p>
        <code className="mono block text-dim [overflow-wrap:anywhere]">{visible(command)}</code>
        <p className="text-faint">
          <Link
            to="/runs/$id"
            params={{ id: run }}
            search={{}}
            onClick={close}
            className="underline decoration-line-strong underline-offset-4 hover:text-text"
          >
            {visible(goal)}
          </Link>{' '}
          <span className="mono">{visible(shortPath(workspace))}</span>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {ports.map((port) => (
          <a
            key={port}
            href={`http://127.0.0.1:${port}/`}
            target="_blank"
            rel="noreferrer noopener"
            className="mono underline underline-offset-4"
          >
            :{port}
          </a>
        ))}
        <Link
          to="/runs/$id"
          params={{ id: run }}
          search={{ step: stepId, attempt: attemptIndex, tab: 'output' }}
          onClick={close}
          className="inline-flex h-7 items-center rounded-md border border-line-strong px-2.5 hover:bg-hover max-md:h-9"
        >
          Log
        </Link>
        <Button look="danger" onClick={() => void stop()}>
          Stop
        </Button>
      </div>
    </li>
  );
}
