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
  if (PYTHON.test(name)) return args[0] === '-m' && args[1] === 'http.server';
  if (CONTAINERS.test(name)) return stays(name, args);
  if (Object.hasOwn(SERVERS, name)) return SERVERS[name]!.test(args[0] ?? '');
  return BY_NAME.test(name);
}

const PYTHON = /^python[\d.]*$/;
const CONTAINERS = /^(?:docker|podman|nerdctl|docker-compose|podman-compose)$/;
const AWAY = /^(?:-[it]*d[it]*|--detach(?:=true)?|--wait|--abort-on-container-exit|--no-start)$/;
/** It wants the terminal of a person. */
const TYPED_INTO = /^(?:-i?ti?|--tty(?:=true)?)$/;
const PUBLISHES = /^(?:-p|--publish)$/;

/** A container that publishes a port, or a composition of them, of which somebody sees the output. */
function stays(name: string, args: readonly string[]): boolean {
  if (args.some((arg) => AWAY.test(arg) || TYPED_INTO.test(arg))) return false;
  const [verb, next] = /-compose$/.test(name) ? ['compose', args] : [args[0], args.slice(1)];
  if (verb === 'compose') return next.includes('up');
  return verb === 'run' && next.some((arg) => PUBLISHES.test(arg.replace(/=.*$/, '')) || /^-p\d/.test(arg));
}

/** The port of this machine at which a server answers, where its words are read in their own way: null where they say none. */
export function portOf([first = '', ...args]: readonly string[]): number | null {
  const name = first.replace(/^.*\//, '');
  if (PYTHON.test(name) && args[1] === 'http.server')
    return Number(args.find((arg) => /^\d{2,5}$/.test(arg)) ?? 8000);
  return CONTAINERS.test(name) ? publishedPort(args) : null;
}

function publishedPort(args: readonly string[]): number | null {
  const at = args.findIndex((arg) => PUBLISHES.test(arg));
  const said = at < 0 ? args.find((arg) => /^(?:--publish=|-p\d)/.test(arg)) : args[at + 1];
  const port = /(?:^|[:=p])(\d{2,5})(?:-\d+)?:\d+(?:-\d+)?(?:\/\w+)?$/.exec(said ?? '')?.[1];
  return port === undefined ? null : Number(port);
}
