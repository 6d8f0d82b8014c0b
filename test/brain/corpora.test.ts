import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../../src/core/risk/index.ts';
import { readCommand } from '../../src/core/shell/index.ts';
import { createRulesBrain, weakens } from '../../src/mind/brain/index.ts';
import { corporaAreHere, isText, propose, readFixes, readUnlabelled } from './corpora.ts';

const brain = createRulesBrain();

describe.skipIf(!corporaAreHere)('the corpora', () => {
  test('at least 95 % of the failures with known fixes are mended by the first proposal', async () => {
    const { fix } = readFixes();
    const missed: string[] = [];
    for (const failed of fix) {
      const proposed = await propose(brain, failed);
      if (proposed === null || !failed.fixes.some((text) => isText(proposed, text)))
        missed.push(failed.command);
    }
    expect(1 - missed.length / fix.length, missed.join('\n')).toBeGreaterThanOrEqual(0.95);
  });

  test('at least 97 % of the commands to leave alone are left alone', async () => {
    const { leave_alone: alone } = readFixes();
    const touched: string[] = [];
    for (const failed of alone) if ((await propose(brain, failed)) !== null) touched.push(failed.command);
    expect(1 - touched.length / alone.length, touched.join('\n')).toBeGreaterThanOrEqual(0.97);
  });

  test('no proposal for a real failure does something else than the command was for', async () => {
    const failures = readUnlabelled();
    expect(failures.length).toBe(400);
    for (const failed of failures) {
      const proposed = await propose(brain, failed);
      if (proposed === null) continue;
      const { command, inserted } = proposed;
      for (const text of [command, ...inserted]) expect(judgeCommand(text).level, text).not.toBe('blocked');
      // Preparing may make folders and set bits. It removes, moves and overwrites nothing.
      for (const text of inserted)
        expect(text).toMatch(
          /^(?:mkdir -p|chmod \+x|sed -i 's\/\\r\$\/\/'|(?:sudo )?apt-get install -y|pip install|npm install) /,
        );
      const written = unfenced(failed.command);
      if (command === failed.command || command === written) continue;
      expect(weakens(written, command, failed.output)).toBeNull();
      expect(readCommand(command).broken, command).toBe(false);
      const changed = words(command).filter((word) => !words(written).includes(word));
      expect(changed.length, `${failed.command}\n${command}`).toBeLessThanOrEqual(2);
    }
  });
});

const unfenced = (text: string): string =>
  /^```\w*\n([\s\S]*?)\n?```\s*$/.exec(text.trim())?.[1]?.trim() ?? text;
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
