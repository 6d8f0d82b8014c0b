import { createRootRoute, createRoute, createRouter, Link, lazyRouteComponent } from '@tanstack/react-router';
import { readBoardSearch, readHomeSearch, readRunSearch, readTaskSearch } from './addresses.ts';
import { HomeScreen } from './screens/home/home-screen.tsx';
import { Shell } from './shell/shell.tsx';
import { Notice, Trouble } from './ui/notice.tsx';

const root = createRootRoute({
  component: Shell,
  errorComponent: ({ error, reset }) => <Trouble error={error} retry={reset} />,
  notFoundComponent: () => (
    <Notice
      title="There is nothing here"
      action={
        <Link to="/" className="underline underline-offset-4">
          See all runs
        </Link>
      }
    />
  ),
});
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: HomeScreen,
  validateSearch: readHomeSearch,
});
// What another screen needs is fetched when it is gone to.
const NewRunScreen = lazyRouteComponent(() => import('./screens/new/new-run-screen.tsx'), 'NewRunScreen');
const RunScreen = lazyRouteComponent(() => import('./screens/run/run-screen.tsx'), 'RunScreen');
const ChatsScreen = lazyRouteComponent(() => import('./screens/chat/chats-screen.tsx'), 'ChatsScreen');
const chats = createRoute({ getParentRoute: () => root, path: '/chats', component: ChatsScreen });
const chat = createRoute({ getParentRoute: () => root, path: '/chats/$chat', component: ChatsScreen });
const BoardScreen = lazyRouteComponent(() => import('./screens/tasks/board-screen.tsx'), 'BoardScreen');
const TaskScreen = lazyRouteComponent(() => import('./screens/tasks/task-screen.tsx'), 'TaskScreen');
const board = createRoute({
  getParentRoute: () => root,
  path: '/tasks',
  component: BoardScreen,
  validateSearch: readBoardSearch,
});
const task = createRoute({
  getParentRoute: () => root,
  path: '/tasks/$task',
  component: TaskScreen,
  validateSearch: readTaskSearch,
});
const GuardScreen = lazyRouteComponent(() => import('./screens/guard/guard-screen.tsx'), 'GuardScreen');
const guard = createRoute({ getParentRoute: () => root, path: '/guard', component: GuardScreen });
const guarded = createRoute({ getParentRoute: () => root, path: '/guard/$session', component: GuardScreen });
const FleetScreen = lazyRouteComponent(() => import('./screens/fleet/fleet-screen.tsx'), 'FleetScreen');
const fleet = createRoute({ getParentRoute: () => root, path: '/fleet', component: FleetScreen });
const fresh = createRoute({ getParentRoute: () => root, path: '/new', component: NewRunScreen });
const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$id',
  component: RunScreen,
  validateSearch: readRunSearch,
});

export const router = createRouter({
  routeTree: root.addChildren([home, fresh, run, chats, chat, board, task, guard, guarded, fleet]),
  defaultPreload: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** Somebody has just begun the conversation that is led to, and types on. */
    isBegun?: boolean;
  }
}
