import type { AlertName } from './cases/alert-cases.ts'
import type { AlertSeverity } from './severity.ts'
import { thresholds } from '../src/contract/thresholds.ts'
import type { Thresholds } from '../src/contract/thresholds.ts'

/** How grave an alert is, and for how long it waits before and after, as Prometheus writes times. */
export interface Tuned {
  readonly severity?: AlertSeverity
  readonly for?: string
  readonly keepFiringFor?: string
}

/** What may differ from one installation to the next. */
export interface AlertSettings {
  readonly thresholds: Thresholds
  /** Simulated seconds a wall second that the world usually runs at: waits and windows are scaled by it. */
  readonly speed: number
  /** Seconds from one scrape to the next, at most: no window is shorter than four of them. */
  readonly scrape: number
  /** The job under which Prometheus scrapes the mirror, or a pattern of several. */
  readonly job: string
  /** Where Grafana is, and where the runbooks are. */
  readonly grafana: string
  readonly runbooks: string
  /** Labels that identify a target besides its job, instance and session. */
  readonly identity: readonly string[]
  /** Labels that every alert gets. */
  readonly labels: Readonly<Record<string, string>>
  readonly off: readonly AlertName[]
  /** What single alerts have otherwise. */
  readonly alerts: Readonly<Partial<Record<AlertName, Tuned>>>
}

/** Waits and windows are chosen for this speed, at which a wall minute is a simulated hour. */
export const designSpeed = 60

export const defaultSettings: AlertSettings = {
  thresholds,
  speed: designSpeed,
  scrape: 15,
  job: 'dcsim',
  grafana: 'http://127.0.0.1:3000',
  runbooks: 'http://127.0.0.1:9740/runbooks',
  identity: [],
  labels: {},
  off: [],
  alerts: {},
}

/** Scrapes that fall into each window, at least. */
export const scrapesPerWindow = 4

/** A time as Prometheus writes it, in the largest unit that it is whole in. */
export function promDuration(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600}h`
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`
}

/** Wall seconds at the speed of the settings, of what is right at the design speed. */
export const scaled = ({ speed }: AlertSettings, seconds: number): number =>
  Math.round((seconds * designSpeed) / speed)

/** How long something has to hold, in wall time. */
export const scaleFor = (settings: AlertSettings, seconds: number): string =>
  promDuration(Math.max(1, scaled(settings, seconds)))

/** How far back something is looked at, in wall time. */
export const scaleRange = (settings: AlertSettings, seconds: number): string =>
  promDuration(Math.max(scrapesPerWindow * settings.scrape, scaled(settings, seconds)))
