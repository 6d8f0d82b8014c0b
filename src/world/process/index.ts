export {
  type CommandEnd,
  type CommandSpec,
  expectCommand,
  expectCommands,
  startCommand,
} from './command.ts';
export { findProgram } from './find-shell.ts';
export {
  endGroup,
  endMarked,
  findMarked,
  type GroupEnd,
  inspectGroup,
} from './group.ts';
export { ignoreInterrupts } from './interrupts.ts';
export type { OutputStream } from './output.ts';
export { classifyDenial, type Denial } from './sandbox/denial.ts';
export type { SandboxGrants, SandboxPolicy } from './sandbox/policy.ts';
export { probeSandbox } from './sandbox/probe.ts';
export { packageCaches } from './sandbox/secrets.ts';
export { type Service, startService } from './service.ts';
export type { StartFailure } from './start-failure.ts';
export { keepTail, TAIL_BYTES } from './tail.ts';
export { tellingNames, tellingTheWay, withDefinitions } from './wrapper.ts';
