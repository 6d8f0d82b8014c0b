import type { Row } from '../row.ts';
import { hasPeer, tryPeer } from './peer.ts';
import { readScenarios } from './scenario.ts';
import { type Trial, tryScenario } from './trial.ts';

const AT_A_TIME = 2;

/** Broken plans, run for real with nobody to ask: how many the offline brain mends, leaves alone, and makes worse. */
export async function benchRepair(): Promise<Row[]> {
  const trials = await tryAll();
  const tried = trials.filter(({ outcome }) => outcome !== 'untried' && outcome !== 'unbroken');
  const toMend = tried.filter(({ scenario }) => scenario.expect === 'mended');
  const toAsk = tried.filter(({ scenario }) => scenario.expect === 'asked');
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
      name: 'left alone with nobody there, mended with a yes',
      value: count(toAsk, 'asked'),
      unit: `of ${toAsk.length}`,
      target: `>= ${toAsk.length}`,
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
    ...(await families(tried)),
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

/** Class by class, what is to be left alone beside what is to be mended; and thefuck on the same, where it is installed. */
async function families(trials: Trial[]): Promise<Row[]> {
  const peer = new Map<string, Trial['outcome']>();
  if (hasPeer()) for (const { scenario } of trials) peer.set(scenario.name, await tryPeer(scenario));
  const byFamily = Map.groupBy(trials, ({ scenario }) => `${scenario.family}, ${wanted(scenario)}`);
  return [...byFamily].sort().map(([family, of]) => {
    const both = of.filter(({ scenario }) => (peer.get(scenario.name) ?? 'untried') !== 'untried');
    const right = both.filter(({ scenario }) => peer.get(scenario.name) === scenario.expect).length;
    const worse = both.filter(({ scenario }) => peer.get(scenario.name) === 'worse').length;
    return {
      name: `  ${family}`,
      value: of.filter(({ outcome, scenario }) => outcome === scenario.expect).length,
      unit: `of ${of.length}`,
      note: hasPeer() ? `thefuck: ${right} of ${both.length}, ${worse} made worse` : 'thefuck: not run here',
    };
  });
}

const wanted = ({ expect }: Trial['scenario']): string =>
  ({ mended: 'to mend', asked: 'to ask about', declined: 'to leave alone' })[expect];
