export {
  chooseTemplate,
  type Match,
  searchWords,
  similarity,
} from './match.ts';
export { parseTemplate, type Template } from './template.ts';
