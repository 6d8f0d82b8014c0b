import type { Plan, Step } from '../../contract/index.ts';
import { capProblems, type Problem, sortProblems } from '../problem.ts';
import { buildSteps } from './build-steps.ts';
import { repeatedInputs, toInput } from './inputs.ts';
import { type LineTable, lineTable } from './line-table.ts';
import { readPlanText } from './read.ts';
import type { PlanFile } from './schema.ts';
import { schemaFaults } from './schema-problems.ts';
import { nodeAt, type ReadFault, toValue } from './tree.ts';

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
