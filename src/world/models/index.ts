export type { FoundProvider } from './discover.ts';
export { type Extracted, type ExtractOptions, extractJson } from './extract/extract.ts';
export { type TextLog, withLiveText } from './live.ts';
export { type Chosen, type Models, type ModelsOptions, openModels } from './models.ts';
export { parseName, parseNames } from './name.ts';
export { type ReadPrices, readPrices } from './price/prices.ts';
export type { Price } from './price/table.ts';
export { createFileRecordings, type Recorded, type Recordings } from './recordings.ts';
export type { ModelSettings } from './settings.ts';
export type {
  Acceptance,
  Answer,
  Answered,
  CallRequest,
  Failed,
  FailedWhy,
  Message,
  ModelChain,
  Rate,
  StructuredAnswer,
  StructuredRequest,
} from './types.ts';
