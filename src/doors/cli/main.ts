import { nearest } from '../../core/plan/nearest.ts';
import { AppError, type ExitCode, exitCodes } from '../app/errors.ts';
import { DATABASE_VARIABLE, HANDED_VARIABLE } from '../app/places.ts';
import { readArguments } from './command.ts';
import { type Context, note, print, processContext } from './context.ts';
import { commandHelp, generalHelp } from './help.ts';
import { registry } from './registry.ts';

/** Runs one command line. Never throws: whatever goes wrong is a sentence on stderr and an exit code. */
export async function main(argv: string[], context: Context = processContext()): Promise<ExitCode> {
  try {
    return await dispatch(argv, await withHanded(context));
  } catch (error) {
    return report(error, context);
  }
}

async function dispatch(argv: string[], context: Context): Promise<ExitCode> {
  const [name = 'help', ...args] = argv;
  if (name === 'help' || name === '--help' || name === '-h') {
    const about = args[0];
    if (about !== undefined) return dispatch([about, '--help'], context);
    print(context, generalHelp());
    return exitCodes.done;
  }
  const declared = registry.find((candidate) => candidate.name === name);
  if (declared === undefined) throw unknownCommand(name);
  const given = readArguments(declared, args);
  if (given.flag('help')) {
    print(context, commandHelp(declared));
    return exitCodes.done;
  }
  const database = given.text('database');
  const { secrets = [] } = declared;
  const opens = [
    database,
    ...[DATABASE_VARIABLE, 'DATABASE_URL', ...secrets].map((each) => context.env[each]),
  ];
  if (opens.some((value) => value !== undefined)) {
    const { conceal } = await import('./conceal.ts');
    conceal(argv, context, secrets);
  }
  const { command } = await declared.load();
  if (database === undefined) return command.run(context, given);
  return command.run(withEnv(context, { ...context.env, [DATABASE_VARIABLE]: database }), given);
}

/** What is a getter stays one. */
const withEnv = (context: Context, env: Context['env']): Context =>
  Object.create(context, { env: { value: env, enumerable: true } });

async function withHanded(context: Context): Promise<Context> {
  const file = context.env[HANDED_VARIABLE];
  if (file === undefined) return context;
  const { takeHanded } = await import('./conceal.ts');
  return withEnv(context, takeHanded(context.env, file));
}

function unknownCommand(name: string): AppError {
  const near = nearest(
    name,
    registry.map((command) => command.name),
  );
  const what = name.startsWith('-') ? 'option' : 'command';
  const hint = near === null ? 'planwright help lists them' : `did you mean planwright ${near}?`;
  return new AppError('usage', `there is no ${what} ${JSON.stringify(name)}; ${hint}`);
}

function report(error: unknown, context: Context): ExitCode {
  if (error instanceof Error && 'exitCode' in error) {
    note(context, `planwright: ${error.message}`);
    return error.exitCode as ExitCode;
  }
  note(context, `planwright: this should not have happened: ${error instanceof Error ? error.stack : error}`);
  return exitCodes.failed;
}
