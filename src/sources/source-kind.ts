import type { Clock } from '../contract/clock.ts'
import type { SessionReport } from '../contract/session-report.ts'
import type { Exposition } from '../metrics/exposition/exposition.ts'
import type { Source } from './source.ts'

/** Inputs of opening a source of any kind. */
export interface SourceContext {
  readonly exposition: Exposition
  readonly clock: Clock
  readonly cadenceMs: number
  /** Simulated time that clients had seen before the world thread was restarted. */
  readonly reachNs: bigint
  /** Reports on the session file to the service thread. */
  readonly report: (report: SessionReport) => void
}

/** The options from which the default name of a session derives. */
export interface SessionOptions {
  readonly source: string
  readonly scale: string | number
  readonly seed: bigint
  readonly scenario: string
  readonly blind: boolean
}

/** A kind of source. `S` selects one source of the kind; it crosses to the world thread. */
export interface SourceKind<S> {
  /** The value of `--source`, in errors. */
  readonly usage: string
  /** The value of `--source` and its meaning, in help texts. */
  readonly help: string
  /** The noun in errors about flags for this kind only. */
  readonly noun: string
  /** Whether a value of `--source` selects this kind. The first match in the order of the registry counts. */
  readonly matches: (source: string) => boolean
  readonly describe: (spec: S) => string
  /** The default name of a session, before it is shortened to a valid name: equal worlds have equal names. */
  readonly sessionName: (options: SessionOptions) => string
  readonly open: (spec: S, context: SourceContext) => Promise<Source>
  /** The origin of the upstream; left out for a local source. */
  readonly upstreamOrigin?: (spec: S) => string
  /** The young generation of the world thread's heap; null for the default. */
  readonly youngGenerationMb?: (spec: S) => number | null
  /** Whether closing the source saves its state. */
  readonly isSavedAtClose?: (spec: S) => boolean
}
