import type { Simple } from '../../../core/shell/index.ts';

/** What programs that were told to be quiet would have said, by the code that they ended with. */
const codes: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  curl: {
    6: 'Could not resolve host',
    7: 'Failed to connect to HOST: Connection refused',
    22: 'The requested URL returned an error',
    23: 'Failure writing output to destination',
    28: 'Operation timed out',
    35: 'TLS handshake failed',
    52: 'Empty reply from server',
    56: 'Recv failure: Connection reset by peer',
  },
  wget: { 4: 'failed to connect to HOST: Connection refused', 5: 'certificate verify failed' },
};

/**
 * The message that the last command kept to itself; empty where its code says nothing, or several could have ended so.
 */
export function unsaid(simples: readonly Simple[], exitCode: number | null): string {
  const found = simples.filter(({ program }) => Object.hasOwn(codes, program));
  const [simple] = found;
  if (simple === undefined || found.length > 1 || exitCode === null) return '';
  const text = codes[simple.program]![exitCode];
  if (text === undefined) return '';
  const address = /^(?:https?:\/\/)?((?:localhost|[\d.]{7,}|\[::1\]|[\w-]+(?:\.[\w-]+)+))(?::(\d+))?(?:\/|$)/;
  const [, host = 'the host', port] =
    simple.args.map(({ value }) => address.exec(value)).find((match) => match !== null) ?? [];
  const where = port === undefined ? host : `${host} port ${port}`;
  return `${simple.program}: (${exitCode}) ${text.replace('HOST', where)}\n`;
}
