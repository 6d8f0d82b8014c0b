import type { Row } from '../row.ts';
import { readScenarios } from './scenario.ts';
import { type Trial, tryScenario } from './trial.ts';

const AT_A_TIME = 2;

/** Broken plans, run for real with nobody to ask: how many the offline brain mends, leaves alone, and makes worse. */
export async function benchRepair(): Promise<Row[]> {
  const trials = await tryAll();
  const tried = trials.filter(({ outcome }) => outcome !== 'untried' && outcome !== 'unbroken');
  const toMend = tried.filter(({ scenario }) => scenario.expect === 'mended');
  const toLeave = tried.filter(({ scenario }) => scenario.expect === 'declined');
  const count = (of: Trial[], outcome: Trial['outcome']): number =>
    of.filter((trial) => trial.outcome === outcome).length;
  const names = (of: Trial[], outcome: Trial['outcome']): string =>
    of
      .filter((trial) => trial.outcome === outcome)
      .map(({ scenario }) => scenario.name)
      .join(', ');
  const mended = count(toMend, 'mended');
  const shows = [names(trials, 'untried'), names(trials, 'unbroken')]
    .filter((list) => list !== '')
    .join(', ');
  return [
    {
      name: 'broken plans mended',
      value: (100 * mended) / toMend.length,
      unit: '%',
      target: '>= 80',
      note: `${mended} of ${toMend.length}; declined: ${names(toMend, 'declined') || 'none'}`,
    },
    {
      name: 'left alone what is to be left alone',
      value: count(toLeave, 'declined'),
      unit: `of ${toLeave.length}`,
      target: `>= ${toLeave.length}`,
    },
    {
      name: 'made worse',
      value: count(tried, 'worse'),
      unit: 'plans',
      target: 0,
      note: names(tried, 'worse'),
    },
    ...families(toMend),
    ...(shows === ''
      ? []
      : [
          {
            name: 'could not be tried here',
            value: trials.length - tried.length,
            unit: 'plans',
            note: shows,
          },
        ]),
  ];
}

/** In the order of their names, so many at a time. */
async function tryAll(): Promise<Trial[]> {
  const scenarios = readScenarios();
  const trials: Trial[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < scenarios.length) trials.push(await tryScenario(scenarios[next++]!));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return trials;
}

function families(trials: Trial[]): Row[] {
  const byFamily = Map.groupBy(trials, ({ scenario }) => scenario.family);
  return [...byFamily].sort().map(([family, of]) => ({
    name: `  ${family}`,
    value: of.filter(({ outcome }) => outcome === 'mended').length,
    unit: `of ${of.length}`,
  }));
}
