/** Programs that answer at a port until somebody ends them: by their name, or with this word behind it. */
const SERVERS: Readonly<Record<string, RegExp>> = {
  flask: /^run$/,
  mkdocs: /^serve$/,
  hugo: /^serve(?:r)?$/,
  jekyll: /^s(?:erve)?$/,
  rails: /^s(?:erver)?$/,
  ng: /^serve$/,
  fastify: /^start$/,
  next: /^(?:dev|start)$/,
  vite: /^(?:dev|serve|preview)$/,
  php: /^-S$/,
};
const BY_NAME =
  /^(?:http-server|live-server|nodemon|json-server|redis-server|uvicorn|gunicorn|hypercorn|waitress-serve|browser-sync|mongod)$/;

/** With one of these it goes to the background, or says something and ends. */
const ENDS = /^(?:-D|--daemon|--daemonize|--fork|--help|--version|-[hV])$/;

/** Whether these words start a server, and wait for it. */
export function serves([first = '', ...args]: readonly string[]): boolean {
  const name = first.replace(/^.*\//, '').replace(/@.*$/, '');
  if (args.some((arg) => ENDS.test(arg))) return false;
  if (/^python[\d.]*$/.test(name)) return args[0] === '-m' && args[1] === 'http.server';
  if (CONTAINERS.test(name)) return stays(name, args);
  if (Object.hasOwn(SERVERS, name)) return SERVERS[name]!.test(args[0] ?? '');
  return BY_NAME.test(name);
}

const CONTAINERS = /^(?:docker|podman|nerdctl|docker-compose|podman-compose)$/;
const AWAY = /^(?:-[it]*d[it]*|--detach(?:=true)?|--wait|--abort-on-container-exit|--no-start)$/;
const PUBLISHES = /^(?:-p|--publish)$/;

/** A container that publishes a port, or a composition of them, of which somebody sees the output. */
function stays(name: string, args: readonly string[]): boolean {
  if (args.some((arg) => AWAY.test(arg))) return false;
  const [verb, next] = /-compose$/.test(name) ? ['compose', args] : [args[0], args.slice(1)];
  if (verb === 'compose') return next.includes('up');
  return verb === 'run' && next.some((arg) => PUBLISHES.test(arg.replace(/=.*$/, '')) || /^-p\d/.test(arg));
}

/** The port of this machine at which a container answers; null where it publishes none, or any. */
export function publishedPort([first = '', ...args]: readonly string[]): number | null {
  if (!CONTAINERS.test(first.replace(/^.*\//, ''))) return null;
  const at = args.findIndex((arg) => PUBLISHES.test(arg));
  const said = at < 0 ? args.find((arg) => /^(?:--publish=|-p\d)/.test(arg)) : args[at + 1];
  return (
    Number(/(?:^|[:=p])(\d{2,5})(?:-\d+)?:\d+(?:-\d+)?(?:\/\w+)?$/.exec(said ?? '')?.[1] ?? Number.NaN) ||
    null
  );
}
