import type { AlertName } from '../cases/alert-cases.ts'

const prefix = 'Dcsim'

/** An Alertmanager matcher for these alerts, or for all others. */
export function alertMatcher(names: readonly AlertName[], negated = false): string {
  const own = names.map((name) => name.slice(prefix.length))
  const pattern = own.length === 1 ? `${prefix}${own[0]}` : `${prefix}(${own.join('|')})`
  return `alertname${negated ? '!' : ''}${own.length > 1 ? (negated ? '~' : '=~') : '='}"${pattern}"`
}
