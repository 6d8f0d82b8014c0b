export { type App, type AppOptions, findWorkspace, openApp } from './app.ts';
export { checkKey, loadConfig, setConfig } from './config.ts';
export { AppError, type ExitCode, exitCodes } from './errors.ts';
export { asking, type RunChoices, runOptions } from './options.ts';
export { exitCodeOf } from './outcome.ts';
export { type Env, findPlaces } from './places.ts';
export { excludedSteps, findStep, loadPlan } from './plans.ts';
export type { NewRun, Rested, Runs } from './runs.ts';
export { setTrust, trustedFolders } from './trust.ts';
