import type { Input, Plan, Step } from '../../contract/index.ts';
import { capProblems, type Problem, sortProblems } from '../problem.ts';
import { buildSteps } from './build-steps.ts';
import { type LineTable, lineTable } from './line-table.ts';
import { readPlanText } from './read.ts';
import type { PlanFile } from './schema.ts';
import { schemaFaults } from './schema-problems.ts';
import { nodeAt, type ReadFault, type Tree, toValue } from './tree.ts';

export type ParsedPlan = { ok: true; plan: Plan } | { ok: false; problems: Problem[] };

/** Reads a plan file in YAML or JSON. Never throws and never hangs; gives all problems at once. */
export function parsePlanFile(content: Uint8Array | string, options: { file: string }): ParsedPlan {
  const { file } = options;
  const read = readPlanText(content, file);
  const lines = lineTable(read.text);
  if (!read.ok) return { ok: false, problems: report(read.faults, file, lines) };
  const value = toValue(read.tree);
  const faults: (ReadFault & { step?: string })[] = schemaFaults(read.tree, value);
  if (faults.some((fault) => fault.code === 'too-many-steps')) {
    return { ok: false, problems: report(faults, file, lines) };
  }
  const items = nodeAt(read.tree, ['plan']);
  const built = buildSteps(items.kind === 'seq' ? items.items : [], { file, text: read.text, lines });
  faults.push(...built.faults, ...repeatedInputs(read.tree, value));
  if (faults.length > 0) return { ok: false, problems: report(faults, file, lines) };
  return { ok: true, plan: assemble(value as PlanFile, built.steps) };
}

function assemble(file: PlanFile, steps: Step[]): Plan {
  return {
    goal: file.goal.trim(),
    ...(file.mode !== undefined && { mode: file.mode }),
    shell: file.shell ?? 'bash',
    ...(file.inputs !== undefined && { inputs: file.inputs.map(toInput) }),
    steps,
    revision: 0,
  };
}

function toInput(item: string | Record<string, unknown>): Input {
  return typeof item === 'string' ? { name: item } : (item as Input);
}

function repeatedInputs(tree: Tree, value: unknown): ReadFault[] {
  const inputs = (value as { inputs?: unknown } | null)?.inputs;
  if (!Array.isArray(inputs)) return [];
  const seen = new Set<unknown>();
  return inputs.flatMap((input, index) => {
    const name: unknown = typeof input === 'object' && input !== null ? (input as Input).name : input;
    const { pos } = nodeAt(tree, ['inputs', index]);
    if (typeof name !== 'string') return [];
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && typeof input === 'string') {
      const message = `"${name.slice(0, 60)}" is not the name of an input.`;
      return [{ code: 'wrong-type', message, pos, mend: 'Use letters, digits and underscores.' }];
    }
    if (seen.has(name)) {
      const message = `The input \`${name}\` is there twice.`;
      return [{ code: 'duplicate-input', message, pos, mend: 'Keep one of them.' }];
    }
    seen.add(name);
    return [];
  });
}

function report(
  faults: readonly (ReadFault & { step?: string })[],
  file: string,
  lines: LineTable,
): Problem[] {
  const problems = faults.map(
    (fault): Problem => ({
      code: fault.code,
      severity: 'error',
      message: fault.message,
      ...(fault.step !== undefined && { step: fault.step }),
      source: { file, ...lines.at(fault.pos) },
      mend: fault.mend,
    }),
  );
  return capProblems(sortProblems(problems));
}
