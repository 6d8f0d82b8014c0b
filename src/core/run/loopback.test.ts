import { expect, test } from 'vitest';
import { initialRunState, type RunState, type ServiceState, type Step } from '../contract/index.ts';
import { portsOf } from './loopback.ts';

const service = (stepId: string, status: ServiceState['status'] = 'running') =>
  ({ name: stepId, stepId, status }) as ServiceState;

function ports(services: ServiceState[], ...expects: (string | undefined)[]): number[] {
  const steps = expects.map((text, at) => ({ id: `s${at + 1}`, ...(text ? { expects: text } : {}) }) as Step);
  const plan = { steps } as unknown as RunState['plan'];
  return portsOf({ ...initialRunState, plan, services });
}

test('a correction may talk to the running services of its own run, by what they promised', () => {
  expect(ports([service('s1')], 'port 8080 open')).toEqual([8080]);
  expect(ports([service('s1')], 'url http://127.0.0.1:8081/health answers 200')).toEqual([8081]);
  expect(ports([service('s1'), service('s2')], 'port 8080 open', 'port 8080 open')).toEqual([8080]);
});

test('and to nobody else', () => {
  expect(ports([], 'port 8080 open')).toEqual([]);
  expect(ports([service('s1', 'stopped')], 'port 8080 open')).toEqual([]);
  expect(ports([service('s1')], 'port 8080 closed')).toEqual([]);
  expect(ports([service('s1')], 'url http://example.org:8081/ answers 200')).toEqual([]);
  expect(ports([service('s1')], undefined)).toEqual([]);
});
