export { createProbe, type ProbeOptions } from './create.ts';
export type { ProbeLimits } from './files.ts';
export { precheck, type StepProbe } from './precheck.ts';
export { type GitFacts, type Listener, nullProbe, type Probe } from './probe.ts';
