export { createProbe } from './create.ts';

export { precheck, type StepProbe } from './precheck.ts';
export { type GitFacts, type Listener, nullProbe, type Probe } from './probe.ts';
