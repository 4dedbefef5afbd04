import type { AlertName } from './cases/alert-cases.ts'
import type { AlertSeverity } from './severity.ts'
import { defaultSpeed, thresholds } from '../src/contract/thresholds.ts'
import type { Thresholds } from '../src/contract/thresholds.ts'

/** Overrides of an alert's severity and times, in the format of Prometheus. */
export interface Tuned {
  readonly severity?: AlertSeverity
  readonly for?: string
  readonly keepFiringFor?: string
}

/** The settings that may differ between installations. */
export interface AlertSettings {
  readonly thresholds: Thresholds
  /** Typical speed of the world in simulated seconds per wall second, by which times and windows are scaled. */
  readonly speed: number
  /** The longest scrape interval in seconds: every window is at least four times as long. */
  readonly scrape: number
  /** The job under which Prometheus scrapes the mirror, or a pattern for several. */
  readonly job: string
  /** The addresses of Grafana and of the runbooks. */
  readonly grafana: string
  readonly runbooks: string
  /** Labels that identify a target besides its job, instance and session. */
  readonly identity: readonly string[]
  /** Labels that are added to every alert. */
  readonly labels: Readonly<Record<string, string>>
  readonly off: readonly AlertName[]
  /** Overrides for single alerts. */
  readonly alerts: Readonly<Partial<Record<AlertName, Tuned>>>
}

/** Times and windows are written for this speed, at which a wall minute is a simulated hour. */
export const designSpeed = 60

export const defaultSettings: AlertSettings = {
  thresholds,
  speed: defaultSpeed,
  scrape: 15,
  job: 'dcsim',
  grafana: 'http://127.0.0.1:3000',
  runbooks: 'http://127.0.0.1:9740/runbooks',
  identity: [],
  labels: {},
  off: [],
  alerts: {},
}

/** The minimum number of scrapes in a window. */
export const scrapesPerWindow = 4

/** A time in the format of Prometheus, in the largest unit without a fraction. */
export function promDuration(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600}h`
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`
}

/** Converts wall seconds at the design speed to wall seconds at the speed of the settings. */
export const scaled = ({ speed }: AlertSettings, seconds: number): number =>
  Math.round((seconds * designSpeed) / speed)

/**
 * The name of a window in recorded series: its length in simulated time, which is the same at any speed of the world.
 * Only where that is less than four scrapes, the window is longer.
 */
export const windowName = (seconds: number): string => `sim${promDuration(seconds * designSpeed)}`

/** The value of `for`, in wall time. */
export const scaleFor = (settings: AlertSettings, seconds: number): string =>
  promDuration(Math.max(1, scaled(settings, seconds)))

/** A range of a query, in wall time. */
export const scaleRange = (settings: AlertSettings, seconds: number): string =>
  promDuration(Math.max(scrapesPerWindow * settings.scrape, scaled(settings, seconds)))
