import { behindOptions, operands, optionAt, optionSet, optionValues } from './options.ts';
import { type Reader, type Started, starts, text } from './started.ts';

const where = 'elsewhere' as const;
const sshValued = '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B';

/** Words behind the host are joined to one text, which a shell there reads. */
const ssh: Reader = (words) => {
  const started: Started[] = [];
  for (const [at, word] of words.entries()) {
    const match = /(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand)[= ]+(.*)$/i.exec(word);
    if (at > 0 && match?.[1]) started.push(text(at, at + 1, word.length - match[1].length));
  }
  let from = behindOptions(words, sshValued) + 1;
  if (words[from] === '--') from++;
  if (from < words.length) started.push(text(from, words.length));
  return starts({ started, where, needs: ['network'], reads: from >= words.length });
};

const containerValued =
  '-e --env -u --user -w --workdir -v --volume --mount --name -p --publish --network --net --entrypoint --env-file -l --label -m --memory --cpus --platform --pull -h --hostname --add-host --cap-add --cap-drop --device --dns --expose --gpus --ip --link --log-driver --log-opt --pid --ipc --restart --runtime --security-opt --shm-size --tmpfs --ulimit --index --detach-keys -c --context -H --host --config --log-level -f --file --project-name --project-directory --profile';

/** `docker exec NAME COMMAND`, `docker run IMAGE COMMAND`, `--entrypoint PROGRAM`. */
const container: Reader = (words) => {
  const valued = optionSet(containerValued);
  let at = 1;
  const next = (): string => {
    while (words[at]?.startsWith('-')) at += optionAt(words[at] ?? '', valued) === 'valued' ? 2 : 1;
    return words[at++] ?? '';
  };
  let verb = next();
  if (verb === 'compose' || verb === 'container') verb = next();
  if (verb !== 'exec' && verb !== 'run') return undefined;
  const own = at;
  next();
  const entry = words.findIndex((word, index) => index >= own && word.startsWith('--entrypoint'));
  if (entry !== -1) {
    const skip = words[entry]?.includes('=') ? '--entrypoint='.length : 0;
    const program = { at: skip > 0 ? entry : entry + 1, skip };
    const started: Started = { as: 'words', from: at, to: words.length, program };
    return starts({ started: program.at < words.length ? [started] : [], where });
  }
  const from = words[at] === '--' ? at + 1 : at;
  if (from >= words.length || words[from]?.startsWith('-')) return starts({ where });
  const clear =
    verb === 'exec' &&
    words.slice(1, own).every((word) => !word.startsWith('-')) &&
    words
      .slice(own, at - 1)
      .every((word) => !/^--?(?:privileged|v|volume|mount|detach-keys|env-file)/.test(word));
  return starts({ started: [{ as: 'words', from, to: words.length }], where, clear });
};

const podValued =
  '-n --namespace --context --kubeconfig --cluster --user -s --server -c --container -l --selector --as --as-group --as-uid --request-timeout --token --certificate-authority --client-certificate --client-key --cache-dir --tls-server-name --profile -v --v --pod-running-timeout --field-manager --image --overrides --env --labels --port --restart';

const pod: Reader = (words) => {
  const plain = operands(words, podValued);
  const verb = words[plain[0] ?? 0] ?? '';
  if (!['exec', 'debug', 'run', 'attach'].includes(verb)) return undefined;
  const dashes = words.indexOf('--');
  const from = dashes !== -1 ? dashes + 1 : verb === 'exec' ? (plain[2] ?? words.length) : words.length;
  return starts({ started: from < words.length ? [{ as: 'words', from, to: words.length }] : [], where });
};

const ansible: Reader = (words) => {
  const [module] = optionValues(words, ['-m', '--module-name']);
  const name = module ? (words[module.at] ?? '').slice(module.skip) : 'command';
  if (!/\b(?:shell|command|raw|script)\b/.test(name)) return starts({ where });
  const given = optionValues(words, ['-a', '--args']);
  return starts({ started: given.map(({ at, skip }) => text(at, at + 1, skip)), where });
};

/** Commands that run elsewhere: on another host, in a container, in a pod. */
export const remote: Readonly<Record<string, Reader>> = {
  ssh,
  mosh: ssh,
  autossh: ssh,
  rsh: ssh,
  rexec: ssh,
  slogin: ssh,
  docker: container,
  podman: container,
  nerdctl: container,
  'docker-compose': container,
  lxc: container,
  incus: container,
  kubectl: pod,
  k: pod,
  oc: pod,
  ansible,
};
