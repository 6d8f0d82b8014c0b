import { standsInFor } from '../../../core/plan/index.ts';
import { replaceWords, splice, swapWords } from '../command/edit.ts';
import { isAbsent } from './absent.ts';
import {
  asRoot,
  byProgram,
  isVerb,
  type MendingRule,
  onCommand,
  operands,
  verbOf,
  withPrefixOf,
} from './rule.ts';
import { meant } from './similar.ts';
import { subcommandsOf } from './subcommands.ts';

export const aptUpdate: MendingRule = {
  id: 'apt-update',
  about: 'apt does not find a package, or its files are gone: its lists are brought up to date first.',
  propose(seen) {
    const simple = byProgram(seen, 'apt', 'apt-get').find((found) =>
      isVerb(found, 'install', 'upgrade', 'dist-upgrade', 'full-upgrade', 'build-dep', 'source', 'download'),
    );
    if (simple === undefined) return null;
    if (
      !/Unable to locate package|has no installation candidate|404\s+Not Found|Unable to fetch some archives, maybe run apt(?:-get)? update|Package lists? .* (?:not up to date|empty)/.test(
        seen.output,
      )
    )
      return null;
    if (
      byProgram(seen, 'apt', 'apt-get').some((found) => isVerb(found, 'update')) ||
      /Permission denied/.test(seen.output)
    )
      return null;
    const isTried = seen.failure.earlier.some(({ correction }) =>
      (correction?.newSteps ?? []).some((step) => /apt(?:-get)? update/.test(step.action)),
    );
    if (isTried) return null;
    const command = withPrefixOf(simple, `${simple.program} update`);
    return {
      steps: [{ title: 'Bring the package lists up to date', command }],
      reasoning: 'apt does not know the package; its lists may be old or missing.',
      confidence: 0.84,
    };
  },
};

export const dpkgInterrupted: MendingRule = {
  id: 'dpkg-interrupted',
  about: 'dpkg was interrupted, or packages are half installed: what apt itself names puts that right.',
  propose(seen) {
    const simple = byProgram(seen, 'apt', 'apt-get', 'dpkg')[0];
    if (simple === undefined) return null;
    if (/you must manually run '(?:sudo )?dpkg --configure -a'/.test(seen.output)) {
      return {
        steps: [{ title: 'Finish what dpkg began', command: withPrefixOf(simple, 'dpkg --configure -a') }],
        reasoning: 'dpkg was interrupted and asks to be let finish.',
        confidence: 0.92,
      };
    }
    if (/Try 'apt(?:-get)? --fix-broken install'|Unmet dependencies\. Try/.test(seen.output)) {
      return {
        steps: [
          {
            title: 'Complete what is half installed',
            command: withPrefixOf(simple, 'apt-get --fix-broken install -y'),
          },
        ],
        reasoning: 'Packages are half installed; apt names the command that completes them.',
        confidence: 0.85,
      };
    }
    return null;
  },
};

export const systemctlOrder = onCommand({
  id: 'systemctl-order',
  about: 'systemctl takes the verb first and the unit second.',
  programs: ['systemctl', 'service'],
  says: /Unknown (?:operation|command verb) '?([^'.\s]+)'?/,
  propose({ tree }, simple, [, wrong]) {
    const [first, second] = operands(simple);
    if (first === undefined || second === undefined || first.value !== wrong) return null;
    if (!subcommandsOf('systemctl').includes(second.value)) return null;
    return {
      modify: swapWords(tree, first, second),
      reasoning: `systemctl takes \`${second.value}\` first.`,
      confidence: 0.92,
    };
  },
});

export const unknownUnit = onCommand({
  id: 'systemd-unit',
  about: 'There is no such unit, but one that is a slip away.',
  programs: ['systemctl', 'service', 'journalctl'],
  says: /Unit (\S+?)(?:\.service)? (?:not found|could not be found|does not exist|not loaded)|Unit file (\S+?)(?:\.service)? does not exist|^([\w@.-]+): unrecognized service/m,
  async propose({ tree, probe }, simple, [, ...named]) {
    const unit = named.find((found) => found !== undefined)!;
    const word = simple.args.find((arg) => arg.literal && arg.value.replace(/\.service$/, '') === unit);
    if (word === undefined || isVerb(simple, 'stop', 'disable', 'mask', 'kill')) return null;
    const units = ((await probe.units()) ?? []).map((name) => name.replace(/\.service$/, ''));
    const right = meant(unit, units);
    if (right === null) return null;
    return {
      modify: replaceWords(tree, [[word, word.value.replace(unit, right)]]),
      reasoning: `There is no unit \`${unit}\`; \`${right}\` is installed.`,
      confidence: 0.85,
    };
  },
});

export const daemonReload = onCommand({
  id: 'systemd-reload',
  about: 'A unit file changed, and systemd asks to be told.',
  programs: ['systemctl'],
  says: /Run 'systemctl (--user )?daemon-reload'/,
  propose(_, simple) {
    if (isVerb(simple, 'daemon-reload')) return null;
    const user = simple.args.some((arg) => arg.value === '--user') ? '--user ' : '';
    const command = withPrefixOf(simple, `systemctl ${user}daemon-reload`);
    return {
      steps: [{ title: 'Let systemd read its units again', command }],
      reasoning: 'A unit file changed on disk; systemd asks to be told.',
      confidence: 0.9,
    };
  },
});

export const dockerDaemon: MendingRule = {
  id: 'docker-daemon',
  about: 'The Docker daemon does not run, and systemd can start it.',
  async propose(seen) {
    if (
      !/Cannot connect to the Docker daemon|Is the docker daemon running\?/i.test(seen.output) ||
      /permission denied/i.test(seen.output)
    )
      return null;
    if (byProgram(seen, 'docker', 'docker-compose').length === 0 || /tcp:\/\//.test(seen.output)) return null;
    const units = await seen.probe.units();
    if (units !== null && !units.includes('docker.service')) return null;
    return {
      steps: [{ title: 'Start the Docker daemon', command: await asRoot(seen, 'systemctl start docker') }],
      reasoning: 'The Docker daemon does not run.',
      confidence: units === null ? 0.62 : 0.85,
    };
  },
};

export const hyphenForSpace: MendingRule = {
  id: 'hyphen-for-space',
  about: 'A hyphen stands where a program wants a word: `apt-install`, `docker-ps`, `systemctl-start`.',
  async propose(seen) {
    const simple = seen.tree.simples.find(({ name }) => /^[a-z]+-[a-z-]+$/.test(name.value));
    if (simple === undefined || !/not found/.test(seen.output)) return null;
    const [program = '', ...parts] = simple.name.value.split('-');
    const verb = parts.join('-');
    if (!subcommandsOf(program).includes(verb) || (await seen.probe.which(program)) === false) return null;
    // `pip-check` is a program of its own, and does something else.
    if (!standsInFor(simple.name.value, [program, verb]) && (await isAbsent(seen, simple.name.value)))
      return null;
    return {
      modify: splice(seen.command, [{ ...simple.name, text: `${program} ${verb}` }]),
      reasoning: `\`${simple.name.value}\` is \`${program} ${verb}\`.`,
      confidence: 0.92,
    };
  },
};

export const terraformInit = onCommand({
  id: 'terraform-init',
  about: 'The working folder of Terraform has not been initialised.',
  programs: ['terraform', 'tofu'],
  says: /(?:please |then )?run(?:ning)?:?\s*["`']?(?:terraform|tofu) init|Could not load plugin|Module not installed|Backend initialization required/i,
  propose(_, simple) {
    if (isVerb(simple, 'init') || verbOf(simple) === null) return null;
    return {
      steps: [{ title: 'Initialise the working folder', command: `${simple.name.value} init` }],
      reasoning: `${simple.program} asks for this folder to be initialised first.`,
      confidence: 0.9,
    };
  },
});
