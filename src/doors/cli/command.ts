import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { nearest } from '../../core/plan/nearest.ts';
import { AppError, type ExitCode } from '../app/errors.ts';
import type { Context } from './context.ts';

/** A command as help and completion know it: nothing of what it does is loaded for them. */
export interface Command {
  name: string;
  about: string;
  /** After the name, for the help: `FILE [options]`. */
  usage: string;
  options: Record<string, Option>;
  /** Variables that open something: no other process is to read them of this one. */
  secrets?: readonly string[];
  /** Lines that a person could type, without `planwright`. */
  examples?: readonly string[];
  load(): Promise<{ command: CommandCode }>;
}

/** What a command does. */
export interface CommandCode {
  run(context: Context, given: Given): Promise<ExitCode>;
}

export interface Option {
  type: 'string' | 'boolean';
  short?: string;
  multiple?: boolean;
  /** What stands for the value in the help. */
  value?: string;
  /** The words that it may be, where they are few. */
  words?: readonly string[];
  about: string;
}

export interface Given {
  /** The name of the command and what may follow it, for whoever wrote something else. */
  usage: string;
  positionals: string[];
  text(name: string): string | undefined;
  list(name: string): string[];
  flag(name: string): boolean;
}

/** What every command takes. */
export const everywhere: Record<string, Option> = {
  database: {
    type: 'string',
    value: 'URL',
    about: 'Use the journal of a fleet, in this PostgreSQL: postgres://user@host/name',
  },
};

/** Reads the arguments of a command. Throws an AppError that suggests the nearest flag. */
export function readArguments(command: Command, args: string[]): Given {
  const options: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h' } };
  for (const [key, { type, short, multiple }] of Object.entries({ ...everywhere, ...command.options })) {
    options[key] = { type, ...(short ? { short } : {}), ...(multiple ? { multiple } : {}) };
  }
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    return {
      usage: `${command.name} ${command.usage}`,
      positionals,
      text: (key) => (typeof values[key] === 'string' ? values[key] : undefined),
      list: (key) => (Array.isArray(values[key]) ? values[key].map(String) : []),
      flag: (key) => values[key] === true,
    };
  } catch (error) {
    throw new AppError('usage', explain(command, error), { cause: error });
  }
}

function explain({ name, options }: Command, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
  if (unknown === undefined) return message.split('. ')[0] ?? message;
  const near = nearest(unknown.replace(/^-+/, ''), Object.keys({ ...options, ...everywhere }));
  const hint = near === null ? `see planwright ${name} --help` : `did you mean --${near}?`;
  return `planwright ${name} has no option ${unknown}; ${hint}`;
}

/** The value of an option that takes one of a few words. */
export function oneOf<T extends string>(given: Given, name: string, allowed: readonly T[]): T | undefined {
  const value = given.text(name);
  if (value === undefined || (allowed as readonly string[]).includes(value)) return value as T | undefined;
  throw new AppError('usage', `--${name} takes ${allowed.join(', ')}, not ${JSON.stringify(value)}`);
}

export function wholeNumber(given: Given, name: string): number | undefined {
  const value = given.text(name);
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value))
    throw new AppError('usage', `--${name} takes a whole number, not ${JSON.stringify(value)}`);
  return Number(value);
}

export function atMost(given: Given, count: number): string[] {
  if (given.positionals.length <= count) return given.positionals;
  throw new AppError('usage', `too many arguments; usage: planwright ${given.usage}`);
}

/** Whether an argument names something that is to be fetched. */
export const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text);
