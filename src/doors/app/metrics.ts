import type { AnyEvent, Store } from '../../core/stream/index.ts';

/** Numbers of one name, as Prometheus reads them. */
export interface Family {
  name: string;
  help: string;
  type: 'gauge' | 'counter' | 'histogram';
  samples: readonly Sample[];
}

/** `suffix`: of a histogram, which of its numbers. */
export interface Sample {
  value: number;
  labels?: Readonly<Record<string, string>>;
  suffix?: '_bucket' | '_sum' | '_count';
}

/** Counts what this process writes and drives, from its start. */
export interface Meter {
  /** The same store, whose appends and claims are counted. */
  around<E extends AnyEvent>(store: Store<E>): Store<E>;
  families(): Family[];
}

/** In seconds: from what takes no time to what takes an hour. */
const bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600];
const outcomes = { 'step-completed': 'completed', 'step-failed': 'failed' } as const;

interface Histogram {
  /** How many lasted no longer than each bound. */
  within: number[];
  sum: number;
  count: number;
}

export function createMeter(): Meter {
  const counted = { appends: 0, events: 0, claims: 0, turnedAway: 0 };
  const steps = new Map<string, Histogram>(
    Object.values(outcomes).map((outcome) => [outcome, { within: bounds.map(() => 0), sum: 0, count: 0 }]),
  );
  const observe = (outcome: string, seconds: number) => {
    const histogram = steps.get(outcome)!;
    bounds.forEach((bound, at) => {
      if (seconds <= bound) histogram.within[at]! += 1;
    });
    histogram.sum += seconds;
    histogram.count += 1;
  };
  const wrote = (events: readonly AnyEvent[]) => {
    counted.appends += 1;
    counted.events += events.length;
    for (const event of events) {
      if (!Object.hasOwn(outcomes, event.type)) continue;
      const { durationMs } = (event as AnyEvent & { result: { durationMs: number } }).result;
      observe(outcomes[event.type as keyof typeof outcomes], durationMs / 1000);
    }
  };
  return {
    around: (store) => ({
      ...store,
      async append(stream, append) {
        const answer = await store.append(stream, append);
        if (answer.ok && !answer.repeated) wrote(append.events);
        return answer;
      },
      async begin(stream, begin) {
        const answer = await store.begin(stream, begin);
        if (answer.ok && !answer.repeated) wrote(begin.events);
        return answer;
      },
      async claim(stream) {
        const answer = await store.claim(stream);
        counted[answer.ok ? 'claims' : 'turnedAway'] += 1;
        return answer;
      },
    }),
    families: () => [
      counter('planwright_appends_total', 'Appends that this process has written.', [
        { value: counted.appends },
      ]),
      counter('planwright_events_total', 'Events that this process has written.', [
        { value: counted.events },
      ]),
      counter('planwright_claims_total', 'Claims that this process has asked for, by what came of it.', [
        { labels: { outcome: 'taken' }, value: counted.claims },
        { labels: { outcome: 'held by another' }, value: counted.turnedAway },
      ]),
      {
        name: 'planwright_step_duration_seconds',
        help: 'How long steps took that this process has driven.',
        type: 'histogram',
        samples: [...steps].flatMap(([outcome, { within, sum, count }]): Sample[] => [
          ...within.map(
            (value, at): Sample => ({
              suffix: '_bucket',
              labels: { outcome, le: String(bounds[at]) },
              value,
            }),
          ),
          { suffix: '_bucket', labels: { outcome, le: '+Inf' }, value: count },
          { suffix: '_sum', labels: { outcome }, value: sum },
          { suffix: '_count', labels: { outcome }, value: count },
        ]),
      },
    ],
  };
}

export const gauge = (name: string, help: string, samples: readonly Sample[]): Family => ({
  ...{ name, help, samples },
  type: 'gauge',
});

export const buildInfo = (version: string): Family =>
  gauge('planwright_build_info', 'The version of this program.', [{ labels: { version }, value: 1 }]);

const counter = (name: string, help: string, samples: readonly Sample[]): Family => ({
  ...{ name, help, samples },
  type: 'counter',
});

/** The text that Prometheus reads (version 0.0.4 of its format). */
export const exposition = (families: readonly Family[]): string =>
  families
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(
          ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelsOf(labels)} ${value}`,
        ),
        '',
      ].join('\n'),
    )
    .join('');

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}
