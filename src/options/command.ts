import type { ParseFailure, Setting } from './setting.ts'

export type Settings = Readonly<Record<string, Setting<unknown>>>

/** Flags without a value, each with its help. The command answers one and exits. */
export type InfoFlags = Readonly<Record<string, string>>

export const commonInfoFlags = {
  help: 'Show help; with --all, on every option.',
  all: 'Show every option with its variable.',
  version: 'Show the version.',
} as const

/** A positional argument, which is required unless it says otherwise. */
export interface PositionalArgument {
  readonly placeholder: string
  readonly help: string
  /** Whether all remaining words form one argument. */
  readonly isRest?: boolean
  readonly isOptional?: boolean
  /** Where its values are described, for the error when it is missing. */
  readonly advice?: string
}

/** The declaration of a command, from which its parser, its help and the documentation derive. */
export interface Command<S extends Settings = Settings, F extends InfoFlags = InfoFlags> {
  /** Missing for the default command. */
  readonly name?: string
  /** The command line after the name of the program. */
  readonly usage: string
  readonly summary: string
  readonly settings: S
  readonly infoFlags: F
  /** Command lines for the help. */
  readonly examples: readonly string[]
  readonly argument?: PositionalArgument
}

/** The parsed values of a command's settings. */
export type Values<S extends Settings> = {
  readonly [N in keyof S]: Exclude<ReturnType<S[N]['parse']>, ParseFailure>
}

export const environmentVariable = (setting: string): string =>
  `DCSIM_${setting.toUpperCase().replaceAll('-', '_')}`
