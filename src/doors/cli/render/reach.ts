import { isOutside, type Plan, type ShownStep } from '../../../core/contract/index.ts';
import {
  listed,
  outsideWords,
  relativeTo,
  stepName,
  unknownPathsWords,
} from '../../../core/contract/told/index.ts';
import { indent, type Look, measure, paragraph, tildePath } from './look.ts';

const margin = ' ';
/** More paths than this are counted. */
const fewPaths = 12;

/** How far a plan reaches, as it was judged: what it would touch, and what of that cannot be taken back. */
export function renderReach(
  plan: Plan,
  shown: readonly ShownStep[],
  workspace: string,
  look: Look,
): string[] {
  const { style } = look;
  const width = measure(look) - 2 * margin.length;
  const paths = [...new Set(shown.flatMap(({ subject }) => subject.paths))];
  const inside = paths
    .filter((path) => !isOutside(workspace, path))
    .map((path) => relativeTo(workspace, path));
  const outside = paths.filter((path) => isOutside(workspace, path)).map((path) => tildePath(path, look));
  const final = shown.filter(
    ({ subject, verdict }) =>
      !verdict.reversible && plan.steps.find(({ id }) => id === subject.stepId)?.undo === undefined,
  );
  const warn = (text: string) => paragraph(text, width, look).map(style.waiting);
  const lines = [
    ...(inside.length === 0 ? [] : paragraph(`Would touch ${listed(inside, fewPaths)}`, width, look)),
    ...(outside.length === 0 ? [] : warn(`Undo does not cover ${outsideWords(outside)}`)),
    ...shown.flatMap(({ subject: { stepId, unknownPaths } }) =>
      unknownPaths === undefined ? [] : warn(`${stepName(plan, stepId)}: ${unknownPathsWords(unknownPaths)}`),
    ),
    ...(final.length === 0
      ? []
      : warn(
          `Cannot be undone: ${listed(
            final.map(({ subject }) => stepName(plan, subject.stepId)),
            fewPaths,
          )}`,
        )),
  ];
  return indent(lines.length === 0 ? [] : ['', ...lines], margin);
}
