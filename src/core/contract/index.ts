export * from './action.ts';
export * from './expectation.ts';
export * from './plan.ts';
export * from './verdict.ts';
