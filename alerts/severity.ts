import type { Band } from '../src/contract/vocabularies.ts'

/**
 * critical: act at once. warning: act today. info: shown, not sent by default. none: never sent, and inhibits others.
 */
export const alertSeverities = ['critical', 'warning', 'info', 'none'] as const
export type AlertSeverity = (typeof alertSeverities)[number]

/** The severity of each band. An unknown band may be the worst of all. */
export const severityOfBand: Readonly<Record<Band | 'unknown', AlertSeverity>> = {
  Watch: 'info',
  Minor: 'info',
  Major: 'warning',
  Critical: 'critical',
  unknown: 'warning',
}
