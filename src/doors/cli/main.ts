import { nearest } from '../../core/plan/nearest.ts';
import { AppError, type ExitCode, exitCodes } from '../app/errors.ts';
import { readArguments } from './command.ts';
import { type Context, note, print, processContext } from './context.ts';
import { commandHelp, generalHelp } from './help.ts';
import { registry } from './registry.ts';

/** Runs one command line. Never throws: whatever goes wrong is a sentence on stderr and an exit code. */
export async function main(argv: string[], context: Context = processContext()): Promise<ExitCode> {
  try {
    return await dispatch(argv, context);
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
  const { command } = await declared.load();
  return command.run(context, given);
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
