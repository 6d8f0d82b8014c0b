import { z } from 'zod';
import { Pipeline } from '../contract/tasks/index.ts';

/** The shape of a file that `project add --pipeline` takes. What has to fit together besides is said when it is read. */
export function pipelineSchema(): Record<string, unknown> {
  const { $schema, ...shape } = z.toJSONSchema(Pipeline, { target: 'draft-07', io: 'input' });
  const { properties, ...rest } = shape as { properties: Record<string, unknown> };
  return {
    $schema,
    $id: 'urn:planwright:pipeline',
    title: 'Planwright pipeline',
    description:
      'The way of a task: its statuses, and what leads from one to another. The first that fits counts.',
    ...rest,
    properties: { $schema: { type: 'string' }, ...properties },
  };
}
