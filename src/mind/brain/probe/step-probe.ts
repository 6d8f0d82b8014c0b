import { createProbe, type ProbeOptions } from './create.ts';
import type { StepProbe } from './precheck.ts';

/** Looks at this machine, from the folder and with the variables and functions that a step would have. */
export function stepProbe(options: ProbeOptions & { functions?: readonly string[] }): StepProbe {
  const probe = createProbe(options);
  const known = <T>(answer: T | null, yes: (answer: T) => boolean) => (answer === null ? null : yes(answer));
  return {
    exists: async (path) => known(await probe.kind(path), (kind) => kind !== 'absent'),
    commandExists: async (name) =>
      options.functions?.includes(name) || known(await probe.which(name), (found) => found !== false),
    hasWindowsLines: async (script) =>
      known(await probe.readText(script), (text) => /^[^\n]*\r\n/.test(text)),
    isPortFree: async (port) => known(await probe.listener(port), (found) => found === 'free'),
  };
}
