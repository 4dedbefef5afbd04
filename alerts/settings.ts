import type { AlertName } from './alert-cases.ts'
import { thresholds } from './thresholds.ts'
import type { Thresholds } from './thresholds.ts'

/** What may differ from one installation to the next. */
export interface Settings {
  readonly thresholds: Thresholds
  /** Simulated seconds a wall second that the world usually runs at: waits and windows are scaled by it. */
  readonly speed: number
  /** The job under which Prometheus scrapes the mirror. */
  readonly job: string
  /** Where Grafana is, and where the runbooks are. */
  readonly grafana: string
  readonly runbooks: string
  /** Labels that identify a target besides its job, instance and session. */
  readonly identity: readonly string[]
  /** Labels that every alert gets. */
  readonly labels: Readonly<Record<string, string>>
  readonly off: readonly AlertName[]
}

/** Waits and windows are chosen for this speed, at which a wall minute is a simulated hour. */
export const designSpeed = 60

export const defaultSettings: Settings = {
  thresholds,
  speed: designSpeed,
  job: 'dcsim',
  grafana: 'http://127.0.0.1:3000',
  runbooks: 'alerts/runbooks',
  identity: [],
  labels: {},
  off: [],
}

/** No window is shorter, so that four scrapes at 15 seconds fall into each. */
const shortestWindowSeconds = 60

/** A time as Prometheus writes it, in the largest unit that it is whole in. */
export function durationText(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600}h`
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`
}

const scaled = ({ speed }: Settings, seconds: number): number => Math.round((seconds * designSpeed) / speed)

/** How long something has to hold, in wall time. */
export const scaleFor = (settings: Settings, seconds: number): string =>
  durationText(Math.max(1, scaled(settings, seconds)))

/** How far back something is looked at, in wall time. */
export const scaleRange = (settings: Settings, seconds: number): string =>
  durationText(Math.max(shortestWindowSeconds, scaled(settings, seconds)))
