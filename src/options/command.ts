import type { Expected, Setting } from './setting.ts'

export type Settings = Readonly<Record<string, Setting<unknown>>>

/** Flags that take no value and end the process once they are answered. */
export type Questions = Readonly<Record<string, string>>

/** What every command answers. */
export const usualQuestions = { help: 'Show this.', version: 'Show the version.' } as const

/** A command, as it is called and as it is explained. */
export interface Command<S extends Settings = Settings, Q extends Questions = Questions> {
  /** None for the one that is meant where no name is given. */
  readonly name?: string
  /** What is written before its flags. */
  readonly usage: string
  readonly summary: string
  readonly settings: S
  readonly questions: Q
  /** A word that it takes without a flag. */
  readonly argument?: { readonly takes: string; readonly meaning: string }
}

/** What the settings of a command came to. */
export type Values<S extends Settings> = {
  readonly [N in keyof S]: Exclude<ReturnType<S[N]['parse']>, Expected>
}

export const variableOf = (name: string): string => `DCSIM_${name.toUpperCase().replaceAll('-', '_')}`
