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
  if (Object.hasOwn(SERVERS, name)) return SERVERS[name]!.test(args[0] ?? '');
  return BY_NAME.test(name);
}
