import { exactOption, joined, operands, option, optionValues } from '../args.ts';
import type { Arg, CommandRule, SimpleCommand } from '../types.ts';
import { gatherers, senders, sensitive, sent, uploadOptions } from './sending.ts';

/** Programs that serve a folder to whoever asks. */
const servers =
  /^(?:php|t?httpd|darkhttpd|lighttpd|serve|http-server|miniserve|caddy|twistd|python3?|ruby|rclone)$/;

/** Serving to every network, or a folder that is not the project's. */
function served(command: SimpleCommand): Arg | undefined {
  const text = joined(command);
  const serves =
    !/^(?:php|python3?|ruby|rclone|caddy|twistd)$/.test(command.name) ||
    /(?:^| )-S |-m http\.server|-run .*httpd|^serve\b|file-server|web .*--path/.test(text);
  return serves
    ? command.args.find((arg) =>
        /^(?:\/|~\/?|\/(?:etc|home|root|var)\b.*|0\.0\.0\.0:?\d*|\[::\].*)$/.test(arg.value),
      )
    : undefined;
}

/** A secret in an address is in every log on the way. In a header it is how one signs in. */
const secretVariable = /\$\{?\w*(?:TOKEN|SECRET|PASSW(?:OR)?D|API_?KEY|PRIVATE_?KEY|CREDENTIAL)/i;

/** The content of a file, as a value in an address. */
const asked =
  /[?&][^\s]*=[^&\s]*(?:\$\(|`)\s*(?:cat|head|tail|base64|base32|xxd|od|hexdump|tar|gzip|grep|sed|awk)\b/;

/** Programs that ask for a name, and so tell it to whoever knows of it. */
const lookups =
  /^(?:dig|host|nslookup|getent|whois|ping6?|traceroute6?|tracepath|mtr|resolvectl|delv|drill)$/;
const here = /^(?:localhost|127\.|::1|\[::1|unix:|\/)/;

/** Sends what it reads from a file or from another program, to a port of another machine. */
function pipes({ name, args, stdin }: SimpleCommand): Arg | undefined {
  const isFed = stdin.kind === 'pipe' || (stdin.kind === 'file' && stdin.path !== '/dev/null');
  if (!isFed || args.some(({ value }) => /^-\w*[zU]/.test(value))) return undefined;
  if (/^(?:nc|ncat|netcat)$/.test(name)) {
    const target = args.find(({ value }) => !value.startsWith('-') && !/^\d+$/.test(value));
    return target && !here.test(target.value) ? target : undefined;
  }
  if (name === 'openssl')
    return args[0]?.value === 's_client'
      ? optionValues({ name, args } as SimpleCommand, '-connect').find(({ value }) => !here.test(value))
      : undefined;
  return undefined;
}

/** Clients that sign in wherever they are sent: the option that names a server takes the user's credentials there. */
const signsIn: Readonly<Record<string, readonly string[]>> = {
  kubectl: ['-s', '--server'],
  k: ['-s', '--server'],
  oc: ['-s', '--server'],
  helm: ['--kube-apiserver'],
  vault: ['-address', '--address'],
};

/** The server that it is told to sign in at, where that is another machine. */
function signedInAt(command: SimpleCommand): Arg | undefined {
  const options = Object.hasOwn(signsIn, command.name) ? (signsIn[command.name] ?? []) : [];
  return optionValues(command, ...options).find(({ value }) => !isThisMachine(value));
}

const isThisMachine = (address: string): boolean => here.test(address.replace(/^\w+:\/\//, ''));

/** The whole environment, put into a word. */
const dumps = /(?:\$\(|`)[^)`]*\b(?:env|printenv|export -p|set|declare -[px]+)\s*(?:\||\)|`|$)/;

export const networkRules: readonly CommandRule[] = [
  {
    id: 'exfiltration',
    level: 'dangerous',
    sentence: 'Sends a secret, credentials, or a bundle of files, to another machine.',
    needs: ['network'],
    names: [
      ...senders,
      ...Object.keys(signsIn),
      ...'tar host getent whois ping6 traceroute tracepath mtr resolvectl'.split(' '),
    ],
    match(command, where) {
      if (Object.hasOwn(signsIn, command.name)) return signedInAt(command);
      if (lookups.test(command.name)) {
        const told = command.args.find((arg) => secretVariable.test(arg.text));
        if (told) return told;
        if (!senders.has(command.name)) return undefined;
      }
      const piped = pipes(command);
      if (piped) return piped;
      const address = command.args.find((arg) => /^(?:https?:\/\/|[\w-]+\.[\w.-]+[/?])/.test(arg.value));
      if (
        address &&
        (secretVariable.test(address.text) ||
          dumps.test(address.text) ||
          (asked.test(address.text) && !/^https?:\/\/(?:localhost|127\.)/.test(address.value)))
      )
        return address;
      if (command.name !== 'ping') {
        const file = sent(command).find((arg) => sensitive(arg, where));
        if (file && !/^(?:ssh|openssl|dig|nslookup)$/.test(command.name)) return file;
      }
      if (command.stdin.kind !== 'pipe' || command.name === 'tar') return undefined;
      if (
        !/^(?:curl|wget|nc|ncat|netcat|socat|ssh|telnet|ftp|mail|mailx|sendmail|mutt|openssl|aws|gsutil|rclone|http|https|xh|wormhole|croc|s3cmd)$/.test(
          command.name,
        )
      )
        return undefined;
      if (
        /^(?:curl|wget|http|https|xh)$/.test(command.name) &&
        optionValues(command, ...uploadOptions).length === 0 &&
        !/^https?$|^xh$/.test(command.name)
      )
        return undefined;
      if (command.name === 'openssl' && command.args[0]?.value !== 's_client') return undefined;
      const source = command.stdin.from.some(
        (from) => gatherers.test(from.name) || from.args.some((arg) => sensitive(arg, where)),
      );
      return source ? true : undefined;
    },
  },
  {
    id: 'http-delete',
    level: 'dangerous',
    sentence: 'Asks a server to delete something.',
    needs: ['network'],
    names: ['curl', 'wget', 'http', 'https', 'xh', 'gh', 'glab', 'az', 'auth0', 'oc', 'kubectl', 'httpie'],
    match(command) {
      const method = optionValues(command, '-X', '--request', '--method').find((arg) =>
        /^delete$/i.test(arg.value),
      );
      if (method) return method;
      if (
        /^(?:https?|xh|httpie)$/.test(command.name) &&
        /^DELETE$/i.test(command.args.find((arg) => !arg.value.startsWith('-'))?.value ?? '')
      )
        return true;
      if (command.name === 'auth0' || command.name === 'az')
        return /^(?:api|rest)$/.test(command.args[0]?.value ?? '')
          ? command.args.find((arg) => /^delete$/i.test(arg.value))
          : undefined;
      const posts =
        optionValues(command, '-X', '--request', '--method', ...uploadOptions).some(
          (arg) => !/^(?:GET|HEAD)$/i.test(arg.value),
        ) || /^POST$/i.test(command.args[0]?.value ?? '');
      return posts
        ? command.args.find(
            (arg) =>
              arg.value.length < 2_000 &&
              /^[^'"{]*\/[^'"{]*(?:delete|_close|_shutdown|shutdown|destroy|purge|flush(?:all|db)|truncate|wipe|drop)(?:[_/?A-Z]|$)/i.test(
                arg.value,
              ),
          )
        : undefined;
    },
  },
  {
    id: 'cloud-metadata',
    level: 'dangerous',
    sentence: 'Asks the address where a cloud hands out the credentials of this machine.',
    needs: ['network'],
    names: ['curl', 'wget', 'http', 'https', 'xh', 'nc', 'ncat', 'netcat', 'telnet', 'aria2c'],
    match: (command) =>
      command.args.find((arg) =>
        /169\.254\.169\.254|(?:0x)?a9fe:?a9fe|2852039166|0251\.0376|0xa9\.0xfe|metadata\.google|fd00:ec2::254|100\.100\.100\.200|metadata\.azure|\/\/(?:metadata|instance-data)(?:[:/]|$)/i.test(
          arg.value,
        ),
      ),
  },
  {
    id: 'firewall',
    level: 'dangerous',
    sentence: 'Changes the firewall or who can reach this machine.',
    needs: ['privilege'],
    names:
      'iptables ip6tables nft ufw firewall-cmd pfctl ebtables ipset iptables-restore ip6tables-restore netsh fail2ban-client'.split(
        ' ',
      ),
    match(command) {
      if (/restore$/.test(command.name)) return true;
      if (/^(?:ip6?tables|ebtables)$/.test(command.name))
        return option(
          command,
          'FXADIPRZN',
          'flush',
          'delete',
          'append',
          'insert',
          'policy',
          'replace',
          'zero',
          'new-chain',
        );
      return command.args.find((arg) =>
        /^(?:flush|delete|add|insert|replace|create|destroy|disable|reset|allow|deny|reject|limit|route|-[dFef]|--add-.*|--remove-.*|--set-.*|--panic-on|--reload|set|unban|stop|reload|-f)$/.test(
          arg.value,
        ),
      );
    },
  },
  {
    id: 'network-configuration',
    unproven: true,
    level: 'dangerous',
    sentence: 'Changes the network of this machine: links, addresses, routes, names.',
    needs: ['privilege'],
    names:
      'ip ifconfig route nmcli networksetup ifdown ifup resolvectl hostnamectl scutil dhclient iw iwconfig ethtool tc brctl wg wg-quick netplan sysctl hostname tailscale rfkill arp bridge ovs-vsctl'.split(
        ' ',
      ),
    match(command) {
      const { name, args } = command;
      if (name === 'ifconfig')
        return operands(command)
          .slice(1)
          .find((arg) => arg.value !== 'up');
      if (name === 'hostname') return operands(command)[0];
      if (name === 'sysctl')
        return (
          exactOption(command, '-w', '--write', '-p', '--load', '-f', '--system') ??
          args.find((arg) => /^[\w.]+=/.test(arg.value))
        );
      if (/^(?:ifdown|ifup|dhclient|netplan|wg-quick)$/.test(name))
        return !args.some((arg) => /^(?:get|status|info|--help)$/.test(arg.value));
      if (name === 'networksetup')
        return args.find((arg) =>
          /^-(?:set|create|delete|remove|add|rename|switch|order|duplicate|import|disconnect|connect|power|detect)/i.test(
            arg.value,
          ),
        );
      if (name === 'scutil') return args.find((arg) => /^--(?:set|prefs|nc)/.test(arg.value));
      if (name === 'ethtool' || name === 'iwconfig' || name === 'iw')
        return args.length > 1
          ? args.find((arg) => /^(?:-s|-K|-A|-G|-L|set|del|essid|mode|disconnect|--change)/.test(arg.value))
          : undefined;
      return (
        operands(command, '-n -netns -f -family')
          .slice(1)
          .find((arg) =>
            /^(?:set|add|a|del|delete|d|flush|replace|change|append|down|prepend|modify|mod|up|revert|dns|remove|off|disconnect|logout|block|exec)$/.test(
              arg.value,
            ),
          ) ??
        args.find((arg) => name === 'route' && /^(?:add|del|delete|flush|change)$/.test(arg.value)) ??
        args.find((arg) => name === 'tailscale' && /^(?:up|down|logout|set|funnel|serve)$/.test(arg.value)) ??
        args.find((arg) => name === 'nmcli' && /^(?:off|delete|down|modify|add)$/.test(arg.value)) ??
        args.find((arg) => name === 'hostnamectl' && /^(?:set-|hostname$)/.test(arg.value)) ??
        args.find(
          (arg) =>
            name === 'resolvectl' &&
            /^(?:dns|domain|default-route|revert|dnssec|llmnr|mdns)$/.test(arg.value),
        ) ??
        args.find((arg) => name === 'arp' && /^-[ds]$/.test(arg.value))
      );
    },
  },
  {
    id: 'network-exposure',
    level: 'dangerous',
    sentence: 'Opens this machine, or something on it, to the network.',
    needs: ['network'],
    names:
      'ngrok cloudflared nc ncat netcat ssh autossh localtunnel lt bore frpc chisel socat sshd tunnelto php httpd thttpd darkhttpd lighttpd serve http-server miniserve caddy twistd python python3 ruby rclone openssl stunnel kubectl oc k fzf'.split(
        ' ',
      ),
    match(command) {
      if (/^(?:nc|ncat|netcat)$/.test(command.name))
        return command.args.find((arg) => /^-(?:[a-zA-Z]*l[a-zA-Z]*|-listen)$/.test(arg.value));
      if (/^(?:auto)?ssh$/.test(command.name))
        return command.args.find((arg) => /^-[a-zA-Z]*R|^(?:-o)?RemoteForward/i.test(arg.value));
      if (/^(?:kubectl|oc|k|fzf)$/.test(command.name))
        return command.args.find(({ value }) =>
          /^(?:--(?:address|listen\S*)=)?(?:0\.0\.0\.0|\[?::\]?)(?:[:,]|$)/.test(value),
        );
      if (servers.test(command.name)) return served(command);
      if (command.name === 'openssl')
        return command.args[0]?.value === 's_server' ? command.args[0] : undefined;
      if (command.name === 'socat') return command.args.find((arg) => /LISTEN:/i.test(arg.value));
      return (
        operands(command).some((arg) => !/^(?:version|help|update|login|list|status)$/.test(arg.value)) ||
        command.name === 'sshd'
      );
    },
  },
];
