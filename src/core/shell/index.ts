/**
 * The one reader of shell text: its grammar with guards, its words, and what is known of every program that runs
 * another command. Judge, resolver, substitution, validator and brain ask here, so that they cannot disagree.
 */
export type {
  AndOr,
  ArithmeticFor,
  Assignment,
  Command,
  DoubleQuotedPart,
  For,
  Function,
  ParameterExpansionPart,
  ParsedScript,
  Pipeline,
  Redirection,
  Select,
  Statement,
  SyntaxNode,
  While,
  Word,
  WordPart,
} from 'unbash';
export { forEachChild } from 'unbash';
export { type BashCommand, type BashScript, bashCommands } from './bash-commands.ts';
export { bracedWords, hasBraces } from './braced.ts';
export { expandBraces } from './braces.ts';
export { type Brought, broughtBy } from './brings.ts';
export { evaluatesWords, isBuiltin } from './builtins.ts';
export { eachNode, isFixed, wordsOf } from './commands.ts';
export {
  definedAfter,
  definedByWords,
  definitionsInView,
  functionsIn,
  type InView,
  isShellsOwn,
  namesAsked,
  noDefinitions,
} from './definitions.ts';
export { movesShell } from './folder.ts';
export { changesHanded, type FoundNames, foundBy, printedNames } from './found-names.ts';
export { gitSettingOf, gitSettings, gitVerb, runsSetting } from './git.ts';
export {
  codeCall,
  isBashLike,
  isInterpreter,
  isLanguage,
  isPwsh,
  isShell,
  shellCall,
} from './interpreters.ts';
export type { NameFilter } from './name-filter.ts';
export { operands, optionValues } from './options.ts';
export { parseBash, parseWhole } from './parse.ts';
export { hasPattern, namePattern, type PatternPiece, plainText } from './pattern.ts';
export { blankStrings, type PwshCommand, pwshCommands, pwshFunctions } from './pwsh.ts';
export { argumentsAsText, isBare, quoteWord, shellWord } from './quote.ts';
export { type CommandTree, readCommand, type Simple, type WordAt } from './simples.ts';
export {
  programName,
  type Started,
  type StartedText,
  type StartedWords,
  type Starts,
  textStarted,
  UNKNOWN,
} from './started.ts';
export { isWrapper, startsOf, takesCommand } from './starts-of.ts';
export { stoppingAtFirst } from './stops.ts';
export { straightUnits, unitAt } from './straight.ts';
export type { Target } from './target.ts';
export { handsOn, targetsOf, touchesKnown } from './targets.ts';
export { editors, isRepl, pagers, takesOrders, takesScreen } from './terminal.ts';
