import { insertBefore } from '../command/edit.ts';
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
