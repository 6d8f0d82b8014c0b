export { shouldCreatePlan } from '../../mind/chat/index.ts';
export { type App, type AppOptions, openApp } from './app.ts';
export { type Asker, ownerAt } from './asker.ts';
export { type BegunRun, beginRun, type RunWanted } from './begin-run.ts';
export { type Chapter, chaptersOf } from './chapters.ts';
export type { ChatChoices } from './chat-options.ts';
export type { Chats, NewChat } from './chats.ts';
export { checkKey, loadConfig, setConfig } from './config.ts';
export { checkDemo, demoSettings, makeDemo, takePort } from './demo/make.ts';
export { type DemoNames, usualNames } from './demo/sample.ts';
export { batchBrain, diagnoseRun, offlineBrain } from './diagnose.ts';
export { examine, type Finding } from './doctor.ts';
export { planFileOf } from './drafts.ts';
export { type Drivers, type DriversOptions, startDrivers } from './drivers.ts';
export { AppError, type AppErrorCode, type ExitCode, exitCodes } from './errors.ts';
export type { Explainable } from './explain.ts';
export { excludedSteps, findStep } from './find-step.ts';
export { completeInputs, readInputs } from './inputs.ts';
export { createJudge } from './judge.ts';
export { setModelKey } from './keys.ts';
export { callLog } from './live-text.ts';
export type { WantedFor } from './meant.ts';
export { forgetAll, forgetFix, type KnownFix, listFixes } from './memory.ts';
export { type AppModelsOptions, firstUseSentence, openAppModels } from './models.ts';
export { asking, type RunChoices, runOptions } from './options.ts';
export { exitCodeOf } from './outcome.ts';
export type { Witness } from './performer.ts';
export { type Env, findPlaces, findWorkspace, type Places } from './places.ts';
export { type AnswerReport, assessAnswer, plannerChain } from './planning.ts';
export {
  checkPlan,
  isGoal,
  isRunbook,
  type LoadedPlan,
  loadPlan,
  readPlanText,
} from './plans.ts';
export { startReporting } from './reporting.ts';
export { expireCheckpoints } from './retention.ts';
export { allowHere, loadRules, removeUserRule, replaceUserRules, userRulesText } from './rules.ts';
export { type RanFile, type RunFileOptions, runFile } from './run-file.ts';
export type { NewRun, Runs } from './runs.ts';
export type { Redactor } from './secrets.ts';
export type { AppStreams, Asking, Drivable, Rested } from './streams.ts';
export {
  assertTemplatesFit,
  findTemplate,
  loadTemplates,
  templateFile,
  templateFor,
} from './templates.ts';
export { setTrust, trustedFolders } from './trust.ts';
export { foldersLike, typedWorkspace } from './typed-folder.ts';
export type { PathChange, RunDiff, UndoChoice, UndoPreview } from './undo.ts';
export { driveAll, type WorkerOptions } from './worker.ts';
