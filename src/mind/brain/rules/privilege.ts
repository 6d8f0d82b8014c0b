import { insertBefore, splice } from '../command/edit.ts';
import type { MendingRule } from './rule.ts';

/** Only a tool that says itself that it wants to be root is believed: a plain "permission denied" may be right. */
const wantsRoot =
  /are you root\?|must be (?:run as )?root|(?:you )?(?:need|have) to be root|be run (?:as|under) (?:the )?root|(?:requires?|needs?|must have) (?:the )?(?:root|superuser|administrator)(?: user)?(?:'s)? ?(?:privileges?|access|rights|permissions?)?|requested operation requires superuser privilege|unless you are root|only root can|This operation requires root|run (?:this|it|the command)?(?: \w+)? ?(?:as root|with sudo|using sudo)|Interactive authentication required|root privileges? (?:is|are) required|try (?:again )?(?:with|using) sudo|superuser \(root\) privileges? are required/i;

export const asksForRoot: MendingRule = {
  id: 'asks-for-root',
  about: 'The tool says that it has to be run as root: sudo, which the gate asks a person about.',
  async propose(seen) {
    if (!wantsRoot.test(seen.output)) return null;
    const candidates = seen.tree.simples.filter(
      ({ program }) => !['cd', 'echo', 'export', 'source', 'set'].includes(program),
    );
    const simple = candidates.length === 1 ? candidates[0]! : undefined;
    if (
      simple === undefined ||
      simple.prefixes.length > 0 ||
      simple.program === 'sudo' ||
      simple.redirects.length > 0
    )
      return null;
    if ((await seen.probe.isRoot()) === true || (await seen.probe.which('sudo')) === false) return null;
    return {
      modify: insertBefore(seen.tree, simple, 'sudo'),
      reasoning: `${simple.program} says that it has to be run as root.`,
      confidence: 0.8,
    };
  },
};

export const notAsRoot: MendingRule = {
  id: 'not-as-root',
  about: 'The program refuses to be run as root: sudo is left out.',
  propose(seen) {
    const says =
      /(?:cannot|can't|can not|must not|do not|don't|should not|shouldn't|refus\w+ to|not allowed to)[^\n]{0,80}(?:as root|as (?:the )?super-?user|with sudo|under sudo)|(?:running|run|executing) [^\n]{0,40}as root is not (?:allowed|supported)|as root is not allowed/i;
    if (!says.test(seen.output)) return null;
    const found = seen.tree.simples.filter(({ prefixes }) => prefixes[0] === 'sudo');
    const [simple] = found;
    if (simple === undefined || found.length > 1) return null;
    const before = seen.command.slice(simple.pos, simple.name.pos);
    const word = /^sudo(?:\s+-[EHn]+)*\s+/.exec(before);
    if (word === null || word[0].length !== before.length) return null;
    return {
      modify: splice(seen.command, [{ pos: simple.pos, end: simple.name.pos, text: '' }]),
      reasoning: `${simple.program} does not want to be run as root.`,
      confidence: 0.9,
    };
  },
};

export const pathOfUser: MendingRule = {
  id: 'sudo-path',
  about: 'sudo looks for programs where root has them; the one that is meant is on the PATH of the user.',
  async propose(seen) {
    const name = /^sudo: ([\w.+-]+): command not found/m.exec(seen.output)?.[1];
    const simple = seen.tree.simples.find(
      (found) => found.prefixes[0] === 'sudo' && found.name.value === name,
    );
    if (name === undefined || simple === undefined) return null;
    const there = await seen.probe.which(name);
    if (there === false || !/^sudo\s+$/.test(seen.command.slice(simple.pos, simple.name.pos))) return null;
    return {
      modify: splice(seen.command, [
        { pos: simple.name.pos, end: simple.name.pos, text: 'env "PATH=$PATH" ' },
      ]),
      reasoning: `sudo does not look where \`${name}\` is; it is given the PATH.`,
      confidence: there === null ? 0.55 : 0.85,
    };
  },
};
