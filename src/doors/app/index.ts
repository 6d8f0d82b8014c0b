/** The library: what docs/library.md explains, and nothing else. Other doors come in by the sub-doors. */
export { shouldCreatePlan } from '../../mind/chat/index.ts';
export { type App, type AppOptions, openApp } from './app.ts';
export { type Asker, ownerAt } from './asker.ts';
export { type Drivers, type DriversOptions, startDrivers } from './drivers.ts';
export { AppError, type AppErrorCode, type ExitCode } from './errors.ts';
export { completeInputs } from './inputs.ts';
export { type RunChoices, runOptions } from './options.ts';
export { type LoadedPlan, loadPlan } from './plans.ts';
export { type RanFile, type RunFileOptions, runFile } from './run-file.ts';
export type { NewRun, Runs } from './runs.ts';
export type { Redactor } from './secrets.ts';
export type { AppStreams, Drivable, Rested } from './streams.ts';
