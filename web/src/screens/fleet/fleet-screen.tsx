import type { Fleet } from '@contract';
import { hostName } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ago, visible } from '@told';
import { client } from '../../api/client.ts';
import { useTitle } from '../../shell/announcer.tsx';
import { cx } from '../../ui/cx.ts';
import { Meter } from '../../ui/meter.tsx';
import { Skeleton, Trouble } from '../../ui/notice.tsx';
import { useNow } from '../../ui/use-now.ts';
import { Nothing, Part } from './part.tsx';
import { Schedules } from './schedules.tsx';

/** Who drives, what there is to do, and what begins by itself. On one machine it is the same, and smaller. */
export function FleetScreen() {
  useTitle('Fleet');
  const { data, error, refetch } = useQuery({
    queryKey: ['fleet'],
    queryFn: () => client.getFleet(),
    refetchInterval: 3000,
    staleTime: 0,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0} className="h-full overflow-auto">
      <div className="mx-auto grid max-w-[1080px] grid-cols-[minmax(0,1fr)] gap-7 px-4 py-5 max-md:px-3">
        <header>
          <h1 className="font-semibold text-[15px]">Fleet</h1>
          <p className="text-dim">
            {data === undefined ? ' ' : data.database === null ? 'One machine.' : visible(data.database)}
          </p>
        </header>
        {data === undefined && error !== null ? <Trouble error={error} retry={() => void refetch()} /> : null}
        {data === undefined && error === null ? <Skeleton rows={5} /> : null}
        {data === undefined ? null : <Numbers fleet={data} />}
        <Schedules />
        {data === undefined ? null : <Workers fleet={data} />}
        {data === undefined ? null : <Claims fleet={data} />}
      </div>
    </div>
  );
}

function Numbers({ fleet: { due, claimed, ended, workers } }: { fleet: Fleet }) {
  const heard = workers.filter(({ isSilent }) => !isSilent).length;
  const numbers: [string, number, string][] = [
    ['waiting to be driven', due, due > 0 && heard === 0 ? 'nobody drives' : ''],
    ['driven now', claimed, ''],
    ['ended in five minutes', ended.fiveMinutes, `${(ended.fiveMinutes / 5).toFixed(1)} a minute`],
    ['ended in an hour', ended.hour, `${(ended.hour / 60).toFixed(1)} a minute`],
  ];
  return (
    <dl className="grid grid-cols-4 overflow-hidden rounded-md border max-md:grid-cols-2">
      {numbers.map(([label, n, note]) => (
        <div
          key={label}
          className="flex flex-col-reverse justify-end border-r px-3 py-2.5 last:border-r-0 max-md:border-b max-md:even:border-r-0 max-md:nth-[n+3]:border-b-0"
        >
          <dt className="text-dim text-small">
            {label}
            {note === '' ? null : <span className="block text-faint">{note}</span>}
          </dt>
          <dd className="num">{n}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What it holds is known to the moment; what it says of itself is a few seconds old. */
const atWork = (active: number, concurrency: number) => ({
  name: 'at work',
  text: `${active} of ${concurrency}`,
  used: Math.min(1, active / Math.max(1, concurrency)),
  tight: active >= concurrency,
});

function Workers({ fleet: { workers } }: { fleet: Fleet }) {
  const now = useNow(true, 5000);
  return (
    <Part title="Workers">
      {workers.length === 0 ? (
        <Nothing>
          Nobody has said that they drive. <code className="mono">planwright worker --watch</code> does.
        </Nothing>
      ) : (
        <ul className="overflow-hidden rounded-md border">
          {workers.map((worker) => {
            const { host, pid, as, version, load, concurrency, claims, heardAt, isSilent } = worker;
            return (
              <li
                key={`${host}/${pid}`}
                className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)] items-center gap-x-4 border-b px-3 py-2 last:border-0 max-md:grid-cols-2 max-md:gap-y-1"
              >
                <p className="min-w-0">
                  <b className="block truncate font-medium" title={host}>
                    {visible(hostName(host))}
                  </b>
                  <span className="text-faint">
                    {as}, process <span className="num">{pid}</span>
                    {version === '' ? '' : `, ${visible(version)}`}
                  </span>
                </p>
                <p className={cx('max-md:text-right', isSilent ? 'text-wait' : 'text-dim')}>
                  {isSilent ? 'not heard since ' : 'heard '}
                  {ago(heardAt, Math.max(now, heardAt))}
                </p>
                <Meter meter={atWork(claims, concurrency)} />
                <p className="text-dim max-md:text-right">
                  load <span className="num">{load.toFixed(2)}</span>
                </p>
              </li>
            );
          })}
        </ul>
      )}
    </Part>
  );
}

function Claims({ fleet: { claims } }: { fleet: Fleet }) {
  if (claims.length === 0) return null;
  return (
    <Part title="Driven now">
      <ul className="overflow-hidden rounded-md border">
        {claims.map(({ stream, kind, title, host, pid }) => (
          <li key={stream} className="flex min-h-9 items-center gap-3 border-b px-3 py-1 last:border-0">
            <span className="w-20 shrink-0 text-faint">{kind}</span>
            {kind === 'run' ? (
              <Link
                to="/runs/$id"
                params={{ id: stream }}
                search={{}}
                className="min-w-0 flex-1 truncate underline decoration-line-strong underline-offset-4"
              >
                {visible(title)}
              </Link>
            ) : (
              <span className="min-w-0 flex-1 truncate">{visible(title)}</span>
            )}
            <span className="shrink-0 text-faint">
              {visible(hostName(host))} <span className="num max-md:hidden">{pid}</span>
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}
