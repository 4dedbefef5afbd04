import type { ParseFailure, Setting } from './setting.ts'

export type Settings = Readonly<Record<string, Setting<unknown>>>

/** Flags without a value, each with its help. The command answers one and exits. */
export type InfoFlags = Readonly<Record<string, string>>

export const commonInfoFlags = { help: 'Show this help.', version: 'Show the version.' } as const

/** The declaration of a command, from which its parser, its help and the documentation derive. */
export interface Command<S extends Settings = Settings, F extends InfoFlags = InfoFlags> {
  /** Missing for the default command. */
  readonly name?: string
  /** The command line after the name of the program. */
  readonly usage: string
  readonly summary: string
  readonly settings: S
  readonly infoFlags: F
  /** A positional argument, which is required. */
  readonly argument?: {
    readonly placeholder: string
    readonly help: string
    /** Whether all remaining words form one argument. */
    readonly isRest?: boolean
  }
}

/** The parsed values of a command's settings. */
export type Values<S extends Settings> = {
  readonly [N in keyof S]: Exclude<ReturnType<S[N]['parse']>, ParseFailure>
}

export const environmentVariable = (setting: string): string =>
  `DCSIM_${setting.toUpperCase().replaceAll('-', '_')}`
