import type { Clock } from '../contract/clock.ts'
import type { StateReport } from '../contract/state-report.ts'
import type { Exposition } from '../metrics/exposition/exposition.ts'
import type { Source } from './source.ts'

/** The context that a source of any kind is opened with. */
export interface SourceContext {
  readonly exposition: Exposition
  readonly clock: Clock
  readonly cadenceMs: number
  /** Simulated time that clients have seen before the world thread was restarted. */
  readonly reachNs: bigint
  /** A random number from 0 to 1. */
  readonly chance: () => number
  /** Tells the service thread of the state file. */
  readonly report: (report: StateReport) => void
}

/** The options that name a session by default. */
export interface SessionOptions {
  readonly source: string
  readonly scale: string | number
  readonly seed: bigint
  readonly scenario: string
}

/** A kind of source. `S` is what selects one source of the kind; it crosses to the world thread. */
export interface SourceKind<S> {
  /** The value of `--source`, in errors. */
  readonly usage: string
  /** The same in the help, with what it selects. */
  readonly help: string
  /** The noun in errors about flags that apply to this kind alone. */
  readonly noun: string
  /** Whether a value of `--source` selects this kind. The kinds are asked in the order of the registry. */
  readonly matches: (source: string) => boolean
  readonly describe: (spec: S) => string
  /** The default name of a session, before it is cut to what a name may hold: equal worlds have equal names. */
  readonly sessionName: (options: SessionOptions) => string
  readonly open: (spec: S, context: SourceContext) => Promise<Source>
  /** The address that the world comes from; null for a local source. */
  readonly upstreamOrigin: (spec: S) => string | null
  /** The young generation of the world thread's heap; null for the usual one. */
  readonly youngGenerationMb?: (spec: S) => number | null
  /** Whether the source saves something when it is closed. */
  readonly isSavedAtClose?: (spec: S) => boolean
}
