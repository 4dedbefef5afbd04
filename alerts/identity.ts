import { targetLabels } from '../promql/metrics.ts'

/**
 * Labels that an installation adds to those that identify a target, such as `cluster` if several write to one store.
 * Rules are written without them. Every rule lists the labels of a target in this one form, after which the added
 * labels are inserted.
 */

/** The labels of a target in a selector in a `printf` of an annotation, and their values. */
export const targetSelector = targetLabels.map((label) => `${label}=%q`).join(', ')
export const targetValues = targetLabels.map((label) => `$labels.${label}`).join(' ')

const listed = targetLabels.join(', ')
const groupings = new RegExp(`\\b(?:by|on) \\(${listed}(?=[,)])`, 'g')

/** An expression or an annotation, with further labels that identify a target. */
export function withIdentity(text: string, added: readonly string[]): string {
  if (added.length === 0) return text
  const selector = added.map((label) => `, ${label}=%q`).join('')
  const values = added.map((label) => ` $labels.${label}`).join('')
  return text
    .replaceAll(groupings, (grouping) => `${grouping}, ${added.join(', ')}`)
    .replaceAll(targetSelector, `${targetSelector}${selector}`)
    .replaceAll(targetValues, () => targetValues + values)
}

const labelName = /^(?!__)[A-Za-z_]\w*$/

/** The problem of a list of labels to add; null if they are valid. */
export function identityProblem(value: unknown, taken: ReadonlySet<string>): string | null {
  if (!Array.isArray(value)) return `is ${JSON.stringify(value)}; a list of label names was expected`
  const names = value as readonly unknown[]
  const wrong = names.find(
    (name, at) =>
      typeof name !== 'string' || !labelName.test(name) || taken.has(name) || names.indexOf(name) !== at,
  )
  if (wrong === undefined) return null
  return `has ${JSON.stringify(wrong)}; a label name was expected, once, that no metric and no rule has`
}
