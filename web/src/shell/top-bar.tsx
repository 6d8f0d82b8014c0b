import { hostName } from '@contract';
import { Link, useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { visible } from '@told';
import {
  Bell,
  Check,
  CircleHelp,
  House,
  LogOut,
  Menu as MenuIcon,
  MessageCircle,
  Monitor,
  Moon,
  Network,
  Plus,
  Search,
  Server,
  Settings,
  ShieldCheck,
  SquareKanban,
  Sun,
} from 'lucide-react';
import { ask, attempt } from '../api/ask.ts';
import { client } from '../api/client.ts';
import { setLook, type Theme, useLook } from '../api/look.ts';
import { useMe } from '../api/me.ts';
import { useConfig, useWaiting } from '../api/queries.ts';
import { useFeed, useRunFeed } from '../api/use-run.ts';
import { allWaiting, wayTo } from '../model/home.ts';
import { modeChoices } from '../model/modes.ts';
import { shortPath } from '../model/paths.ts';
import { IconButton } from '../ui/button.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { Menu } from '../ui/menu.tsx';
import type { MenuItem } from '../ui/menu-item.ts';
import { Mark } from './mark.tsx';
import { askToNotify } from './notify.ts';

const themes: Record<Theme, { next: Theme; label: string; icon: typeof Sun }> = {
  system: { next: 'dark', label: 'Theme: as the system', icon: Monitor },
  dark: { next: 'light', label: 'Theme: dark', icon: Moon },
  light: { next: 'system', label: 'Theme: light', icon: Sun },
};
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

export function TopBar() {
  const config = useConfig();
  const workspace = config.data?.workspace;
  const { id } = useParams({ strict: false });
  return (
    <header className="flex items-center gap-4 border-b px-4 max-md:gap-2 max-md:px-3">
      <Link to="/" className="flex items-center gap-2 font-semibold tracking-[-0.01em]">
        <Mark />
        Planwright
      </Link>
      <nav aria-label="Places" className="flex items-center gap-1 max-md:hidden">
        <Place to="/">Runs</Place>
        <Place to="/chats">Conversations</Place>
        <Place to="/tasks">Tasks</Place>
        <Place to="/guard">Guard</Place>
        <Place to="/fleet">Fleet</Place>
      </nav>
      {id === undefined ? <Folder path={workspace} /> : <RunFolder id={id} />}
      <button
        type="button"
        onClick={() => setLook({ open: 'palette' })}
        className="ml-auto flex h-7 w-75 min-w-9 items-center justify-between gap-2 rounded-md border pr-1.5 pl-2.5 text-faint hover:border-line-strong max-lg:w-auto max-lg:shrink-0 max-md:ml-auto max-md:size-9 max-md:justify-center max-md:border-0 max-md:p-0"
      >
        <Search size={16} className="hidden max-lg:block max-lg:size-3.5 max-md:size-4" />
        <span className="truncate max-lg:sr-only">Go to run, step, command…</span>
        <Kbd>{isMac ? '⌘K' : 'Ctrl K'}</Kbd>
      </button>
      <WaitingChip />
      <MainMenu />
    </header>
  );
}

function Place({ to, children }: { to: '/' | '/chats' | '/tasks' | '/guard' | '/fleet'; children: string }) {
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      className="rounded-md px-2 py-1 text-dim hover:bg-hover hover:text-text aria-[current=page]:text-text"
    >
      {children}
    </Link>
  );
}

function Folder({ path, hosts = '' }: { path: string | undefined; hosts?: string }) {
  return path === undefined || path === '' ? null : (
    <span
      className="mono min-w-0 truncate text-faint max-md:hidden"
      title={hosts === '' ? path : `${path} on ${hosts}`}
    >
      {visible(shortPath(path))}
      {hosts === '' ? null : <span data-testid="hosts"> on {visible(hosts)}</span>}
    </span>
  );
}

/** Where the run in view works, which need not be where the server was started, and on which host, and on which ones before. */
function RunFolder({ id }: { id: string }) {
  const feed = useRunFeed(id);
  const hosts = useFeed(
    feed,
    ({ state }) => state?.ranOn.map(({ host }) => hostName(host)).join(', then ') ?? '',
  );
  const path = useFeed(feed, ({ state }) => state?.workspace);
  return <Folder path={path} hosts={hosts} />;
}

/** Leads to what waits: straight there where it is one. */
function WaitingChip() {
  const waiting = allWaiting(useWaiting().data);
  if (waiting.length === 0) return null;
  const only = waiting.length === 1 ? waiting[0] : undefined;
  const look =
    'inline-flex h-6 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-md border border-wait/40 bg-wait-bg px-2 text-wait';
  const words = (
    <span>
      <span className="num">{waiting.length}</span> waiting<span className="max-lg:hidden"> for you</span>
    </span>
  );
  if (only === undefined)
    return (
      <Link to="/" search={{ show: 'waiting' }} className={look}>
        {words}
      </Link>
    );
  return (
    <Link {...wayTo(only)} className={look}>
      {words}
    </Link>
  );
}

function MainMenu() {
  const { id } = useParams({ strict: false });
  return id === undefined ? <MenuWith ofRun={[]} /> : <RunMenu id={id} />;
}

/** With the mode of the run in view. */
function RunMenu({ id }: { id: string }) {
  const feed = useRunFeed(id);
  // By a text that is the same while nothing of it changes: a run has many events.
  const choices = useFeed(feed, ({ state }) => JSON.stringify(modeChoices(state)));
  const items = (JSON.parse(choices) as ReturnType<typeof modeChoices>).map(({ mode, label, chosen }) => ({
    label,
    icon: chosen ? <Check size={15} /> : undefined,
    disabled: chosen,
    onSelect: () => void ask(id, { type: 'mode-requested', mode }),
  }));
  return <MenuWith ofRun={items.length === 0 ? [] : [null, ...items]} />;
}

/** What this browser keeps opens nothing from then on. */
async function signOut(): Promise<void> {
  if ((await attempt(() => client.signOut({}))) !== null) location.assign('/');
}

function MenuWith({ ofRun }: { ofRun: readonly (MenuItem | null)[] }) {
  const navigate = useNavigate();
  const { theme, notify } = useLook();
  const me = useMe();
  const at = useRouterState({ select: ({ location }) => location.pathname });
  const { next, label, icon: Icon } = themes[theme];
  return (
    <Menu
      trigger={
        <IconButton label="Menu">
          <MenuIcon size={16} />
        </IconButton>
      }
      items={[
        {
          label: 'New run',
          icon: <Plus size={15} />,
          hint: 'n',
          disabled: at === '/new',
          onSelect: () => void navigate({ to: '/new' }),
        },
        {
          label: 'All runs',
          icon: <House size={15} />,
          hint: 'h',
          onSelect: () => void navigate({ to: '/' }),
        },
        {
          label: 'Conversations',
          icon: <MessageCircle size={15} />,
          hint: 'c',
          onSelect: () => void navigate({ to: '/chats' }),
        },
        {
          label: 'Tasks',
          icon: <SquareKanban size={15} />,
          hint: 'b',
          onSelect: () => void navigate({ to: '/tasks' }),
        },
        {
          label: 'Guard',
          icon: <ShieldCheck size={15} />,
          hint: 'g',
          onSelect: () => void navigate({ to: '/guard' }),
        },
        {
          label: 'Fleet and schedules',
          icon: <Network size={15} />,
          onSelect: () => void navigate({ to: '/fleet' }),
        },
        ...ofRun,
        null,
        { label, icon: <Icon size={15} />, onSelect: () => setLook({ theme: next }) },
        {
          label: notify ? 'Notifications: on' : 'Notify me when something waits or ends',
          icon: <Bell size={15} />,
          onSelect: () => void askToNotify(),
        },
        null,
        {
          label: 'Services',
          icon: <Server size={15} />,
          onSelect: () => setLook({ open: 'services' }),
        },
        {
          label: 'Settings',
          icon: <Settings size={15} />,
          hint: ',',
          onSelect: () => setLook({ open: 'settings' }),
        },
        {
          label: 'Keys',
          icon: <CircleHelp size={15} />,
          hint: '?',
          onSelect: () => setLook({ open: 'help' }),
        },
        ...(me === undefined
          ? []
          : [{ label: `${me.person}, ${me.role}`, disabled: true, onSelect: () => {} }]),
        { label: 'Sign out', icon: <LogOut size={15} />, onSelect: () => void signOut() },
      ]}
    />
  );
}
