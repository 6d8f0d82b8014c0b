export { createDispatcher } from './dispatcher.ts';
