export {
  type Chosen,
  chooseTemplate,
  type Match,
  matchTemplates,
  searchWords,
  similarity,
} from './match.ts';
export { parseTemplate, type Template } from './template.ts';
