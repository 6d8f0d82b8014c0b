export {
  chooseTemplate,
  type Match,
  searchWords,
  similarity,
} from './match.ts';
export { withSaid } from './said.ts';
export { parseTemplate, type Template } from './template.ts';
