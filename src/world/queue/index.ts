export { createDispatcher, type Dispatcher, type DispatcherOptions } from './dispatcher.ts';
