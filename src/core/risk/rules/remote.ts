import { isDry, joined, operands, option, optionValues } from '../args.ts';
import type { Arg, CommandRule, RuleInfo, SimpleCommand } from '../types.ts';
import { uploadOptions } from './sending.ts';

/** What is on other hosts, where no checkpoint reaches: servers, clusters, registries. */

export const otherHost: RuleInfo = {
  id: 'other-host',
  level: 'dangerous',
  sentence: 'Changes something on another host, where no checkpoint reaches.',
  needs: ['network'],
};

const deploys = 'deploy|apply|up|publish|release|promote|rollout|push';

/** By program: what of its words changes something that others see, on a server, in a cluster, a registry. */
const remote: Readonly<Record<string, RegExp>> = {
  docker:
    /^(?:image |manifest |compose |trust )?push(?: |$)|^buildx? .*--push|^(?:stack deploy|service (?:create|update|scale|rollback)|swarm)/,
  kubectl:
    /^(?:apply|create|run|replace|expose|autoscale|label|annotate|cp|attach|debug|certificate|auth reconcile|taint|cordon|rollout (?!status|history))(?: |$|\S)/,
  helm: /^(?:install|upgrade|push|test)(?: |$)/,
  terraform: /^(?:apply|import|state (?:mv|push))(?: |$)/,
  pulumi: /^(?:up|update|import|refresh|stack (?:init|import))(?: |$)/,
  ansible:
    /^(?!.*(?:--check|-C|--list-hosts)(?: |$)).*(?:-m |--module-name[= ])(?!ping|setup|debug|stat)\S|^(?!.*-m ).*(?:-a|--args)/,
  'ansible-playbook': /^(?!.*(?:--check|-C|--syntax-check|--list-\w+)(?: |$)).*\S/,
  gh: /^(?:pr|issue|release|repo|gist|workflow|run|secret|variable|label|cache|codespace|project|discussion|ruleset|ssh-key|gpg-key) (?:add|create|merge|edit|comment|close|reopen|review|ready|upload|fork|sync|rename|archive|set|run|rerun|lock|unlock|transfer|pin|delete|develop|update-branch|import|link|clone --push)(?: |$)/,
  glab: /^(?:mr|issue|release|repo|snippet|ci|variable|label) (?:create|merge|update|note|close|reopen|approve|upload|fork|run|retry|trigger|set|delete)(?: |$)/,
  aws: /^(?:--\S+ \S+ )*(?:s3 (?:cp|sync|mv|mb|website) (?:.* )?s3:\/\/\S+(?: -\S.*)?$|(?!s3 |configure)\S+ (?:create|put|update|run|start|stop|send|invoke|publish|copy|modify|set|add|attach|associate|enable|register|import|restore|tag|untag|change|upload|reboot|execute|apply|authorize|replace|deploy|assign|allocate|release|promote|request|complete|abort|batch-write|transact-write|rotate|cancel)(?:-\S*)?(?: |$))/,
  az: /^(?:\S+ )+(?:create|update|set|start|restart|stop|import|upload(?:-batch)?|invoke|deploy|add|assign|scale|up|enable|regenerate|renew|grant|attach|swap|run|up)(?: |$)/,
  gcloud:
    /^(?:\S+ )+(?:create|update|deploy|set-\S+|add-\S+|patch|enable|start|stop|restart|resize|import|submit|ssh|scp|cp|rsync|publish|promote|call|migrate|attach-\S+|run|execute|restore|clone)(?: |$)/,
  gsutil:
    /^(?:-\S+ )*(?:cp|mv|rsync|mb|setmeta|acl|iam|defacl|web|cors|lifecycle) (?!get)(?:.* )?gs:\/\/\S+$/,
  s3cmd: /^(?:put|sync|mv|cp|mb|setacl|setpolicy|modify)(?: |$)/,
  rclone: /^(?:copy|copyto|move|moveto|mkdir|rcat|touch|settier|copyurl) .*\S+:\S*(?: -\S+)*$/,
  azcopy: /^(?:copy|cp|make|set-properties)(?: |$)/,
  git: /^(?:-\S+ )*(?:send-email|imap-send|svn (?:dcommit|commit-diff|tag|branch)|p4 submit|annex drop)(?: |$)/,
  consul: /^(?:kv put|config write|acl \S+ create)(?: |$)/,
  etcdctl: /^(?:--\S+ )*put(?: |$)/,
  hub: /^(?:pull-request|release create|issue create|create|fork|push)(?: |$)/,
  vercel: /^(?:$|deploy|--prod|promote|rollback|alias set|env (?:add|rm))/,
  wrangler:
    /^(?:deploy|publish|rollback|(?:pages|versions) (?:deploy|publish|upload)|secret (?:put|bulk)|(?:kv|r2|d1|queues)\S* .*(?:put|create|execute .*--remote|migrations apply .*--remote))/,
  supabase: /^(?:db push|functions deploy|secrets set|link|migration (?:up|repair) .*--linked)/,
  firebase: /^(?:deploy|hosting:|functions:(?:delete|config:set)|firestore:delete)/,
  heroku:
    /^(?:create|config:set|\S*:(?:add|create|set|push|release|restart|restore|promote|run)|run|restart|releases?:)/,
  mosquitto_pub: /^(?!.*(?:-h|--host)[= ](?:localhost|127\.))/,
  kcat: /(?:^| )-\w*P/,
  kafkacat: /(?:^| )-\w*P/,
  nats: /^(?:pub|publish|req|request|(?:kv|object) (?:put|add|create))(?: |$)/,
  stripe: /^\S+ (?:create|update|confirm|capture|pay|send|post)(?: |$)|^post /,
  twilio: /:(?:create|update|remove)(?: |$)/,
  slack: /^(?:chat|file) (?:send|upload)/,
  cargo: /^owner .*(?:-a|-r|--add|--remove)/,
  npm: /^(?:access|owner|team|org|token|hook|profile|star(?= )|unstar|dist-tag (?:add|rm)) ?(?!ls|list|get)\S/,
  ...Object.fromEntries(
    'fly flyctl netlify cdk cdktf sam serverless sls eb dokku cf railway render amplify copilot skaffold eksctl kamal cap surge gcutil expo eas fastlane nomad argocd flux shuttle deployctl sst'
      .split(' ')
      .map((name) => [
        name,
        new RegExp(
          String.raw`^(?:\S+ ){0,2}?(?:${deploys}|create|launch|submit|scale|restart|sync|bootstrap|run)(?: |$)`,
        ),
      ]),
  ),
};
const sameAs: Readonly<Record<string, string>> = {
  podman: 'docker',
  nerdctl: 'docker',
  k: 'kubectl',
  oc: 'kubectl',
  tofu: 'terraform',
  terragrunt: 'terraform',
  now: 'vercel',
};
/** Among the nouns and verbs, before any option. */
const reads =
  /^(?:[\w.-]+ ){1,4}(?:describe|list|get|show|status|history|logs|view|ls|start-query-execution)\b/;
const mailers = new Set('mail mailx sendmail mutt msmtp swaks s-nail'.split(' '));

const local =
  /^(?:https?:\/\/|wss?:\/\/)?(?:[^/@]*@)?(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|[\w-]+\.localhost|host\.docker\.internal)(?:[:/?]|$)|^:\d*(?:\/|$)/i;
const harmlessMethod = /^(?:GET|HEAD|OPTIONS|TRACE|PROPFIND)$/i;

/** `gh api` posts as soon as it is given a field; what it asks of graphql is in the text. */
function ghRequests(command: SimpleCommand): Arg | undefined {
  if (command.args[0]?.value !== 'api') return undefined;
  const method = optionValues(command, '-X', '--method')[0];
  if (method) return harmlessMethod.test(method.value) ? undefined : method;
  if (/(?:^| )\/?graphql(?: |$)/.test(joined(command)))
    return command.args.find(({ value }) => /\bmutation\b|=@|^--input/.test(value));
  return optionValues(command, '-f', '-F', '--field', '--raw-field', '--input')[0];
}

/** A request that asks a server, other than one of this machine, to change something. */
function requests(command: SimpleCommand): Arg | boolean | undefined {
  if (/^gh$|^glab$/.test(command.name)) return ghRequests(command);
  const plain = operands(
    command,
    '-H --header -o --output -u --user -A -e -b -c -m --max-time -w --write-out -x --cacert --cert --key --retry -a --auth -O -P -T --timeout -t --tries --connect-timeout',
  );
  const methods = optionValues(command, '-X', '--request', '--method');
  const data = optionValues(
    command,
    ...uploadOptions.filter((name) => command.name !== 'wget' || name.startsWith('--')),
    '--data-ascii',
    '--form-string',
  );
  let asked: Arg | undefined = methods.find((arg) => !harmlessMethod.test(arg.value));
  let urls = plain.filter((arg) => arg !== asked && !data.includes(arg));
  if (/^(?:https?|xh|xhs|httpie|curlie)$/.test(command.name)) {
    const verb = /^[A-Z]+$/.test(plain[0]?.value ?? '') ? plain[0] : undefined;
    asked ??= verb
      ? harmlessMethod.test(verb.value)
        ? undefined
        : verb
      : plain.slice(1).find((arg) => /^[\w.[\]-]+:?=(?!=)|^[\w-]+@/.test(arg.value));
    urls = plain.slice(verb ? 1 : 0).slice(0, 1);
  } else {
    const gets = option(command, 'G', 'get') ?? methods.find((arg) => harmlessMethod.test(arg.value));
    asked ??= gets ? data.find((arg) => /^[\w.-]*@/.test(arg.value)) : data[0];
    // What stands behind such an address is sent as it is, to whatever listens there.
    const raw = plain.find((arg) => /^(?:gopher|dict|telnet|smtps?|mqtts?|tftp):\/\//i.test(arg.value));
    if (raw) return raw;
  }
  if (!asked) return undefined;
  return urls.length > 0 && urls.every((arg) => local.test(arg.value)) ? undefined : asked;
}

export const remoteRules: readonly CommandRule[] = [
  {
    id: 'remote-change',
    level: 'dangerous',
    sentence:
      'Changes or publishes something on a server, in a cluster or a registry, where undo does not reach.',
    needs: ['network'],
    match(command) {
      if (mailers.has(command.name)) return command.args.length > 0;
      const name = sameAs[command.name] ?? command.name;
      if (!Object.hasOwn(remote, name) || isDry(command)) return undefined;
      const text = joined(command);
      if (
        name === 'docker' &&
        /^(?:\S+ )*?(?:-H|--host|--url)[= ]?(?:tcp|ssh|https?):\/\/(?!localhost|127\.)/.test(text)
      )
        return true;
      return remote[name]?.test(text) && !reads.test(text) ? true : undefined;
    },
  },
  {
    id: 'http-change',
    level: 'dangerous',
    sentence: 'Sends data to a server that is not this machine, or asks it to change something.',
    needs: ['network'],
    names: ['curl', 'wget', 'http', 'https', 'xh', 'xhs', 'httpie', 'curlie', 'gh', 'glab'],
    match: requests,
  },
];
