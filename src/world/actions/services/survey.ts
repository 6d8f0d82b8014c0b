import type { ServiceState } from '../../../core/contract/index.ts';
import { inspectGroup } from '../../process/index.ts';
import type { Tools } from '../tools.ts';
import { keeperOf } from './keep-logs.ts';
import { endLog } from './stop.ts';

/** Which of them are no longer alive: of one on another host nobody here knows. The logs of the others are kept from growing from now on. */
export function surveyServices(run: string, services: ServiceState[], tools: Tools): string[] {
  const gone = services.filter(({ name, group }) => {
    const found = inspectGroup(group, { run, service: name });
    return found === 'absent' || found === 'not-ours';
  });
  for (const service of services) {
    if (gone.includes(service)) endLog(run, service.stepId, service.attemptIndex, tools);
    else keeperOf(tools.output).keep(run, service);
  }
  return gone.map(({ name }) => name);
}
