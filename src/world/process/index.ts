export {
  type Command,
  type CommandEnd,
  type CommandSpec,
  type Started,
  startCommand,
} from './command.ts';
export { baseEnvironment, type Environment, lastingEnvironment, type Marker } from './environment.ts';
export {
  DEFAULT_GRACE_MS,
  endGroup,
  endMarked,
  findMarked,
  type GroupEnd,
  inspectGroup,
  type Owner,
} from './group.ts';
export { bootId, hostHere, isProcessAlive, processStartTime, thisDriver } from './identity.ts';
export { ignoreInterrupts } from './interrupts.ts';
export type { OnOutput, OutputStream } from './output.ts';
export { sandboxArguments } from './sandbox/arguments.ts';
export { classifyDenial, type Denial, type Failure } from './sandbox/denial.ts';
export type { SandboxGrants, SandboxHost, SandboxPolicy } from './sandbox/policy.ts';
export { probeSandbox, type SandboxMaker, type SandboxProbe, sandboxMaker } from './sandbox/probe.ts';
export { packageCaches } from './sandbox/secrets.ts';
export { type Survey, surveySandbox } from './sandbox/survey.ts';
export { type Service, type ServiceExit, type ServiceSpec, startService } from './service.ts';

export type { StartFailure } from './start-failure.ts';
