export { createAgentMachine, createProjectMachine, createTaskMachine } from './machines.ts';
export { pipelineSchema } from './pipeline-schema.ts';
export * from './ports.ts';
export { programOf } from './programs.ts';
export { answerForm, unknownIn } from './prompts.ts';
export { readAnswer } from './verdict.ts';
export { waysOn } from './ways.ts';
