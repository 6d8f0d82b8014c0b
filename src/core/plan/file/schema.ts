import { z } from 'zod';
import { MAX_RETRIES, Mode, Shell } from '../../contract/index.ts';
import { MAX_STEPS } from '../limits.ts';

/** A schema whose one message says what is wanted, after "`key` must be". */
const wants = (error: string) => ({ error });

const words = (what: string) => z.string(wants(what)).regex(/\S/, wants(what));

export const InputItem = z.union(
  [
    words('the name of an input'),
    z.strictObject({
      name: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, wants('letters, digits and underscores'))
        .describe('Used as {name} in actions, and with --set name=value.'),
      description: z.string().optional().describe('What a person is asked.'),
      default: z
        .union([z.string(), z.number(), z.boolean()])
        .optional()
        .describe('Used where no value is given.'),
      secret: z.boolean().optional().describe('Never shown, never logged.'),
    }),
  ],
  wants('a name, or a map with `name` and optionally `description`, `default` and `secret`'),
);

const StepReference = z.union(
  [z.int().min(1), words('a step')],
  wants('a step number (from 1), a title or an id'),
);

export const PlanFileItem = z.strictObject(
  {
    step: z
      .union([words('a title'), z.int().min(1)], wants('a title in words, or the number of the step'))
      .describe('The title of the step, or its number.'),
    id: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, wants('letters, digits, - and _, starting with a letter'))
      .optional()
      .describe('A name for the step that `after` can use. Left out, it is s1, s2 and so on.'),
    action: words('one action line, such as `RUN_COMMAND npm test`')
      .optional()
      .describe('One action line, such as RUN_COMMAND npm test.'),
    run: words('a shell script, such as `run: |` and its lines below')
      .optional()
      .describe('A shell script of one or more lines, instead of `action`.'),
    expects: words('text')
      .optional()
      .describe(
        'What holds afterwards. Checked where it reads as a checkable form: exit 0, file exists P, ...',
      ),
    after: z
      .union(
        [z.array(StepReference), StepReference],
        wants('a step number (from 1), a title or an id, or a list of them'),
      )
      .optional()
      .describe('Steps that must have succeeded: numbers from 1, titles or ids.'),
    undo: words('one action line').optional().describe('One action line that reverses this step.'),
    cwd: words('a folder')
      .optional()
      .describe("The folder that the step is done in, from the session's. The session stays where it is."),
    timeout: z
      .union(
        [words('a time'), z.number().positive(wants('a number of seconds above 0'))],
        wants('a time such as 30s, 5m or 1h30m, or a number of seconds'),
      )
      .optional()
      .describe('How long one attempt may take: 30s, 5m, 1h30m, or a number of seconds.'),
    env: z
      .record(
        z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, wants('the name of a variable')),
        z.union([z.string(), z.number(), z.boolean()], wants('text')),
        wants('a map of names and values'),
      )
      .optional()
      .describe('Variables of this step alone. Its values may hold placeholders.'),
    retry: z
      .union(
        [
          z.int().min(1).max(MAX_RETRIES),
          z.strictObject({
            times: z.int().min(1).max(MAX_RETRIES),
            delay: z.union([words('a time'), z.number().positive()]).optional(),
          }),
        ],
        wants(`a number from 1 to ${MAX_RETRIES}, or a map with \`times\` and \`delay\``),
      )
      .optional()
      .describe(
        'How often it is attempted again where it fails, and what is waited before: 3, or times and delay.',
      ),
    interactive: z
      .boolean(wants('true or false'))
      .optional()
      .describe('True where the step needs the terminal of a person.'),
    why: words('text').optional().describe('Why the step is here, for a reader.'),
  },
  wants('a map with `step` and `action`'),
);

/** A plan file as a person writes it. The JSON Schema is generated from this. */
export const PlanFile = z.strictObject(
  {
    $schema: z.string(wants('the address of the schema')).optional(),
    goal: words('what you want, in your words').describe('What the plan is for, in your words.'),
    mode: z
      .enum(Mode.options, wants('teacher, planner or agentic'))
      .optional()
      .describe('Who runs the steps, and what happens when one fails.'),
    shell: z
      .enum(Shell.options, wants('bash or pwsh'))
      .optional()
      .describe('The shell of all commands. bash unless said.'),
    inputs: z
      .array(InputItem, wants('a list of names, or of maps with `name`'))
      .optional()
      .describe('Values that the plan asks for; used as {name} in actions.'),
    plan: z
      .array(PlanFileItem, wants('a list of steps'))
      .min(1, wants('a list with at least one step'))
      .max(MAX_STEPS, wants(`a list of at most ${MAX_STEPS} steps`))
      .describe('The steps, in order.'),
  },
  wants('a map with `goal` and `plan`'),
);
export type PlanFile = z.infer<typeof PlanFile>;
export type PlanFileItem = z.infer<typeof PlanFileItem>;

/** Where an editor finds the schema in a project that has Planwright installed. */
export const SCHEMA_ADDRESS = './node_modules/planwright/docs/plan.schema.json';

/** The published JSON Schema of plan files, for editors. */
export function planFileSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(PlanFile, { target: 'draft-07', unrepresentable: 'any' });
  const { $schema, ...rest } = schema as Record<string, unknown>;
  const item = (rest as { properties: { plan: { items: Record<string, unknown> } } }).properties.plan.items;
  // What zod cannot say: a step has one of the two ways to write its action.
  item['oneOf'] = [{ required: ['action'] }, { required: ['run'] }];
  return {
    $schema,
    $id: 'urn:planwright:plan-file',
    title: 'Planwright plan',
    description: 'A goal and the steps that reach it.',
    ...rest,
  };
}
