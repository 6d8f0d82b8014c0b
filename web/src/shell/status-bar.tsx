import { committed, dollars } from '@contract';
import { useParams } from '@tanstack/react-router';
import { setLook } from '../api/look.ts';
import { useConfig, useModels } from '../api/queries.ts';
import { useServer } from '../api/server.ts';
import { useFeed, useRunFeed } from '../api/use-run.ts';
import { brainChain, modeName } from '../model/words.ts';
import { cx } from '../ui/cx.ts';

export function StatusBar() {
  const { id } = useParams({ strict: false });
  const config = useConfig().data;
  const models = useModels().data;
  const brain = models?.roles.find(({ role }) => role === 'brain')?.chain.find(({ available }) => available);
  const chain = brainChain(config?.values ?? null, brain?.model ?? null).join(' → ');
  return (
    <footer className="flex items-center gap-4.5 overflow-hidden whitespace-nowrap border-t px-4 text-small text-faint max-md:gap-3 max-md:px-3">
      {id === undefined ? (
        <span>{config === undefined ? '' : `new runs: ${modeName[config.values.mode]}`}</span>
      ) : (
        <RunMode id={id} />
      )}
      <button
        type="button"
        className="mono text-[11.5px] hover:text-text max-md:hidden"
        onClick={() => setLook({ open: 'settings', page: 'models' })}
      >
        brain: {chain}
      </button>
      {config === undefined ? null : (
        <button
          type="button"
          className="hover:text-text max-md:hidden"
          onClick={() => setLook({ open: 'settings', page: 'safety' })}
        >
          sandbox: {config.values.sandbox}
        </button>
      )}
      <span className="ml-auto" />
      {id === undefined ? null : <RunCounters id={id} />}
      <Connection />
    </footer>
  );
}

function RunMode({ id }: { id: string }) {
  const feed = useRunFeed(id);
  const mode = useFeed(feed, ({ state }) => state?.options?.mode);
  return <span>{mode === undefined ? '' : modeName[mode]}</span>;
}

function RunCounters({ id }: { id: string }) {
  const feed = useRunFeed(id);
  const seq = useFeed(feed, ({ state }) => state?.seq ?? 0);
  const spent = useFeed(feed, ({ state }) => (state === null ? null : committed(state.spending).usd));
  return (
    <>
      {spent === null ? null : <span className="num text-[11.5px] max-md:hidden">{dollars(spent)}</span>}
      <span className="num text-[11.5px]">event {seq}</span>
    </>
  );
}

function Connection() {
  const connection = useServer((server) => server.connection);
  const lost = connection === 'lost';
  const live = connection === 'open';
  const locked = connection === 'locked';
  return (
    <span className={cx('flex items-center gap-1.5', lost || locked ? 'text-fail' : live ? 'text-done' : '')}>
      <span
        aria-hidden="true"
        className={cx('size-1.5 rounded-full bg-current', !live && 'motion-breathe')}
      />
      {lost ? 'offline, trying again' : live ? 'live' : locked ? 'not let in' : 'connecting'}
    </span>
  );
}
