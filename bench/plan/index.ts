export { benchPlan, type Measurement, samplePlan } from './bench-plan.ts';
