import type { Band } from '../src/contract/vocabularies.ts'

/**
 * critical: look at once. warning: look today. info: shown, not sent by default. none: never sent,
 * and inhibits others.
 */
export const severities = ['critical', 'warning', 'info', 'none'] as const
export type Severity = (typeof severities)[number]

/** The severity of each band. An unknown band may be the worst of all. */
export const severityOfBand: Readonly<Record<Band | 'unknown', Severity>> = {
  Watch: 'info',
  Minor: 'info',
  Major: 'warning',
  Critical: 'critical',
  unknown: 'warning',
}
