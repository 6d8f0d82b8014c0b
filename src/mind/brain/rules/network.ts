import { countsTwice } from '../../../core/plan/index.ts';
import type { Simple } from '../../../core/shell/index.ts';
import { replaceWords, splice } from '../command/edit.ts';
import { asRoot, backoff, type MendingRule, onCommand } from './rule.ts';
import { meant } from './similar.ts';

/** What goes away by itself. Refused connections only count towards this machine: a service may still be starting. */
const transient =
  /Temporary failure in name resolution|Temporary failure resolving|Could not resolve host(?!name)|EAI_AGAIN|ETIMEDOUT|ECONNRESET|Connection timed out|Operation timed out|connection reset by peer|TLS handshake timeout|net\/http: request canceled|i\/o timeout|(?:50[234]|429) (?:Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out|Too Many Requests)|returned error: (?:429|50[234])|HTTP(?: Error|\/\d(?:\.\d)?)? (?:50[234]|429)|ReadTimeoutError|Read timed out|early EOF|RPC failed; (?:curl|HTTP)|The remote end hung up unexpectedly|the remote end hung up|unexpected disconnect while reading sideband packet|Empty reply from server|Network is unreachable|Recv failure|spurious network error|socket hang up|ERR_SOCKET_TIMEOUT|the database system is starting up|database is locked|server closed the connection unexpectedly|Hash Sum mismatch|Mirror sync in progress|Could not get lock \/var\/lib\/(?:dpkg|apt)|Unable to acquire the dpkg frontend lock|Waiting for cache lock|Resource temporarily unavailable|Text file busy|Blocking waiting for file lock|toomanyrequests|error: 429/i;
const refusedHere =
  /(?:connect to|connecting to|connect ECONNREFUSED|connection to server at)\s*"?(?:localhost|127\.0\.0\.1|::1|\[::1\])[^\n]*(?:refused|Couldn't connect|Could not connect|ECONNREFUSED|:\d+)|ECONNREFUSED (?:127\.0\.0\.1|::1)/i;
const permanent =
  /are you root|Permission denied|Name or service not known|certificate|Authentication failed|not found in upstream|Repository not found|no space left/i;

/** Nobody was reached, so that nothing was done. */
const unreached =
  /resol|refused|Couldn't connect|Could not connect|unreachable|lock|busy|starting up|handshake/i;

/** git knows what it has pushed already. */
const isSent =
  (text: string) =>
  ({ program, pos, end }: Simple): boolean =>
    program !== 'git' && countsTwice(text.slice(pos, end));

/** Attempts after which a failure that goes away by itself has had its chances. */
const CHANCES = 2;
/** What is to listen on this machine may be starting still. */
const CHANCES_HERE = 3;

export const transientFailure: MendingRule = {
  id: 'transient',
  about:
    'A failure that goes away by itself (network, locks, a service that is starting): the same again, after a while.',
  propose(seen) {
    const found = transient.exec(seen.output) ?? refusedHere.exec(seen.output);
    if (found === null || permanent.test(seen.output)) return null;
    // What was sent may have arrived: only what never reached anybody is sent again.
    if (!unreached.test(seen.output) && seen.tree.simples.some(isSent(seen.command))) return null;
    const isHere = refusedHere.test(seen.output);
    // A service that this run started and that still lives may need its time.
    const isOwn = isHere && (seen.failure.groups ?? []).length > 0;
    const { why } = seen.failure.result;
    const chances = isHere ? CHANCES_HERE : CHANCES;
    if (why === 'expectation' || seen.failure.earlier.length >= chances) return null;
    return {
      retry: true,
      delayMs: backoff(seen.failure.earlier) * (isOwn ? 4 : 1),
      reasoning: `"${found[0].slice(0, 80)}" often goes away by itself: the same is attempted again after a while.`,
      confidence: 0.7,
    };
  },
};

export const misspeltProtocol: MendingRule = {
  id: 'url-protocol',
  about: 'The protocol of an address is one slip from one that exists.',
  propose(seen) {
    const named =
      /Protocol "([^"]+)"[^\n]* (?:not supported|disabled)|Unsupported scheme [‘'"`]([^’'"`]+)/.exec(
        seen.output,
      ) ?? /unable to find remote helper for '([^']+)'|remote-(\w+)' is not a git command/.exec(seen.output);
    const protocol = named?.[1] ?? named?.[2];
    if (protocol === undefined) return null;
    const right = meant(protocol.trim(), ['https', 'http', 'ftp', 'ssh', 'git']);
    const word = seen.tree.simples
      .flatMap(({ args }) => args)
      .find((arg) => arg.literal && arg.value.startsWith(`${protocol}:`));
    if (right === null || word === undefined) return null;
    return {
      modify: replaceWords(seen.tree, [[word, right + word.value.slice(protocol.length)]]),
      reasoning: `There is no protocol \`${protocol}\`; \`${right}\` was meant.`,
      confidence: 0.88,
    };
  },
};

export const missingCertificates: MendingRule = {
  id: 'ca-certificates',
  about:
    'The machine has no certificates to check others by: their package is installed. The check itself stays.',
  async propose(seen) {
    if (
      !/unable to get local issuer certificate|error setting certificate (?:verify locations|file)|certificate verify failed/i.test(
        seen.output,
      )
    )
      return null;
    if ((await seen.probe.kind('/etc/ssl/certs/ca-certificates.crt')) !== 'absent') return null;
    if ((await seen.probe.which('apt-get')) === false) return null;
    const command = await asRoot(seen, 'apt-get install -y ca-certificates');
    return {
      steps: [{ title: 'Install the certificates', command }],
      reasoning: 'This machine has no certificates by which to check those of others.',
      confidence: 0.75,
    };
  },
};

export const keyTooOpen = onCommand({
  id: 'ssh-key-permissions',
  about: 'ssh refuses a key or a configuration that others may read: it is closed to them.',
  programs: 'ssh scp sftp rsync git ssh-add ssh-keygen ansible ansible-playbook'.split(' '),
  says: /Permissions \d+ for '([^'\n]+)' are too open|Bad owner or permissions on (\S+)/,
  propose(_, __, [, key, file]) {
    const path = key ?? file!;
    const command = `chmod 600 ${/^[\w./~-]+$/.test(path) ? path : `'${path}'`}`;
    return {
      steps: [{ title: `Close ${path} to others`, command }],
      reasoning: `ssh does not use \`${path}\` while others may read it.`,
      confidence: 0.92,
    };
  },
});

export const sshPort = onCommand({
  id: 'ssh-port',
  about: 'A host and its port were given to ssh with a colon; ssh wants -p.',
  programs: ['ssh'],
  says: /Could not resolve hostname (\S+):(\d+):/,
  propose({ command }, { args }, [, name, port = '']) {
    const word = args.find((arg) => arg.value.endsWith(`${name}:${port}`) && arg.literal);
    if (word === undefined) return null;
    const host = word.value.slice(0, -(port.length + 1));
    return {
      modify: splice(command, [{ ...word, text: `-p ${port} ${host}` }]),
      reasoning: 'ssh takes the port with -p, not after a colon.',
      confidence: 0.9,
    };
  },
});
