import { BlockList, isIP } from 'node:net';
import { Role, roles } from '../../../core/contract/index.ts';
import type { Asker } from '../../app/asker.ts';
import { AppError } from '../../app/errors.ts';
import { isName, isSame } from '../../app/passes.ts';
import { isLoopback } from './hosts.ts';

/** The proxy in front of the server, which has asked people who they are. */
export interface ProxyRules {
  /** The header in which it names the person, and the one in which it lists their groups. */
  header: string;
  groupsHeader?: string | undefined;
  /** Where it calls from: addresses, or networks as `10.0.0.0/24`. */
  from: readonly string[];
  /** Of what it sends as `planwright-proxy-secret`. */
  secretHash: string | null;
  /** What everybody may whom it names; null: only those of a group below. */
  role: Role | null;
  groups: Readonly<Record<string, Role>>;
}

export interface TrustedProxy {
  /** Who it says that calls; null where they have no role, undefined where it is not the proxy that says so. */
  asker(header: (name: string) => string | undefined, address: string | undefined): Asker | null | undefined;
}

export const PROXY_SECRET_HEADER = 'planwright-proxy-secret';

/**
 * A header is believed only of the proxy: whatever was said that it is known by, address or secret or both, has to fit. Throws
 * an AppError where nothing was said, and where everybody on this machine would be the proxy.
 */
export function createProxy(rules: ProxyRules): TrustedProxy {
  const { header: personHeader, groupsHeader, from, secretHash, role, groups } = rules;
  if (from.length === 0 && secretHash === null)
    throw new AppError(
      'usage',
      'everybody can send a header: say where the proxy calls from (--proxy-from ADDRESS), or give it and the server the same PLANWRIGHT_PROXY_SECRET',
    );
  const networks = networksOf(from);
  const isHere = [...from.map((given) => given.replace(/\/.*$/, '')).filter(isLoopback), '127.0.0.1', '::1'];
  if (secretHash === null && networks !== null && isHere.some((address) => isIn(networks, address)))
    throw new AppError(
      'usage',
      'every process of this machine calls from there: give the proxy and the server the same PLANWRIGHT_PROXY_SECRET too',
    );
  const isProxy = (secret: string, address: string | undefined): boolean =>
    (secretHash === null || isSame(secret, secretHash)) && (networks === null || isIn(networks, address));
  return {
    asker(header, address) {
      const person = header(personHeader);
      if (person === undefined || !isProxy(header(PROXY_SECRET_HEADER) ?? '', address)) return undefined;
      // Two headers of one name come as one with a comma: then nobody knows who it is.
      if (!isName(person)) return null;
      const theirs = (groupsHeader === undefined ? '' : (header(groupsHeader) ?? '')).split(',');
      const given = theirs.flatMap((group) => {
        const found = Object.hasOwn(groups, group.trim()) ? groups[group.trim()] : undefined;
        return found === undefined ? [] : [found];
      });
      const best = Role.options.findLast((each) => each === role || given.includes(each));
      const door = header('sec-fetch-site') === undefined ? 'api' : 'page';
      return best === undefined ? null : { actor: { person, door }, scope: roles[best] };
    },
  };
}

function networksOf(from: readonly string[]): BlockList | null {
  if (from.length === 0) return null;
  const networks = new BlockList();
  for (const given of from) {
    const [address = '', prefix] = given.split('/');
    const family = familyOf(address);
    const bits = prefix === undefined ? null : Number(prefix);
    const isWrong =
      bits !== null && !(Number.isInteger(bits) && bits >= 0 && bits <= (family === 'ipv4' ? 32 : 128));
    if (family === null || isWrong)
      throw new AppError(
        'usage',
        `--proxy-from takes an address or a network, as 10.0.0.7 or 10.0.0.0/24; not ${given}`,
      );
    if (bits === null) networks.addAddress(address, family);
    else networks.addSubnet(address, bits, family);
  }
  return networks;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' | null =>
  (({ 4: 'ipv4', 6: 'ipv6' }) as const)[isIP(address) as 4 | 6] ?? null;

/** A server that listens on all addresses is called from `::ffff:10.0.0.7`. */
function isIn(networks: BlockList, given = ''): boolean {
  const address = given.replace(/^::ffff:(?=\d+\.)/i, '');
  const family = familyOf(address);
  return family !== null && networks.check(address, family);
}
