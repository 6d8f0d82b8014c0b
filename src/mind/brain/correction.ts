import { type Correction, shellText } from '../../core/contract/index.ts';
import { parseAction } from '../../core/plan/index.ts';

/** The shell text of an action line, where it has one. */
export function commandOfLine(line: string): string | undefined {
  const parsed = parseAction(line);
  return parsed.ok ? (shellText(parsed.action) ?? undefined) : undefined;
}

/** The commands that a correction would have run. */
export function commandsIn({ modifiedCommand, newSteps = [] }: Correction): string[] {
  const inserted = newSteps.flatMap(({ action }) => commandOfLine(action) ?? []);
  return modifiedCommand === undefined ? inserted : [modifiedCommand, ...inserted];
}

/** What a correction does, as one text: two that do the same have the same. */
export const doing = ({
  action,
  modifiedCommand,
  newSteps = [],
}: {
  readonly action: Correction['action'];
  readonly modifiedCommand?: string | undefined;
  readonly newSteps?: Correction['newSteps'];
}): string => JSON.stringify([action, modifiedCommand?.trim(), newSteps.map((step) => step.action)]);
