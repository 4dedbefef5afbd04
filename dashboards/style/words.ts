import { MappingType } from '@grafana/grafana-foundation-sdk/dashboard'
import type { ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import type { placementCodes } from '../../src/contract/vocabularies.ts'
import {
  accelerators,
  applianceKinds,
  archetypes,
  blockings,
  fitRecommendations,
  lifecycles,
  rootKinds,
  securityAddons,
  serviceClasses,
  symptomKinds,
  threatClasses,
  wanPolicies,
  workActors,
  workOrderKinds,
} from '../../src/contract/vocabularies.ts'
import { capitalized } from '../../src/words/phrases.ts'
import {
  acceleratorWords,
  actorWords,
  applianceWords,
  blockingWords,
  businessWords,
  causeWords,
  lifecycleWords,
  plainWords,
  recommendationWords,
  serviceWords,
  symptomWords,
  threatWords,
  workKindWords,
} from '../../src/words/vocabulary.ts'
import type { Expr } from '../../promql/expressions.ts'

const entriesOf = (values: readonly string[], wordsOf: (value: string) => string): [string, string][] =>
  values.map((value) => [value, capitalized(wordsOf(value))])

/** The missing resource of a placement. */
const lackingWords: Readonly<Record<(typeof placementCodes)[number], string>> = {
  no_host_online: 'A host that is online',
  no_vcpu: 'CPU',
  no_memory: 'Memory',
  no_disk: 'Disk',
  no_iops: 'Disk operations',
  no_gpu: 'GPU slices',
  no_arch: 'A host with its processor',
  no_region: 'A host in its region',
  no_dedicated_host: 'An empty host to dedicate',
  no_uncontended_host: 'A host without contention',
  no_fault_isolation: 'Racks to spread over',
  no_second_zone: 'Room in a second zone',
  no_segment: 'A host for a private segment',
}

/** The words for values of labels, by label. A kind is one of an appliance or of a work order. */
const vocabularies: Readonly<Record<string, readonly (readonly [value: string, text: string])[]>> = {
  accelerator: entriesOf(accelerators, acceleratorWords),
  actor: entriesOf(workActors, actorWords),
  addon: entriesOf(securityAddons, plainWords),
  archetype: entriesOf(archetypes, businessWords),
  blocking: entriesOf(blockings, blockingWords),
  class: entriesOf(threatClasses, threatWords),
  kind: [...entriesOf(applianceKinds, applianceWords), ...entriesOf(workOrderKinds, workKindWords)],
  lacking: Object.entries(lackingWords),
  lifecycle: entriesOf(lifecycles, lifecycleWords),
  recommendation: entriesOf(fitRecommendations, recommendationWords),
  root_kind: entriesOf(rootKinds, causeWords),
  service: entriesOf(serviceClasses, serviceWords),
  symptom_kind: entriesOf(symptomKinds, symptomWords),
  wan_policy: entriesOf(wanPolicies, plainWords),
}

/** The word for a value of a closed set in legends and cells. */
export const wordOf = (label: string, value: string): string =>
  vocabularies[label]?.find(([known]) => known === value)?.[1] ?? value

/** The same series with words in a label instead of the values of a closed set. */
export function withWords<L extends string>(expr: Expr<L>, label: string): Expr<L> {
  const words = Object.hasOwn(vocabularies, label) ? vocabularies[label] : []
  const text = words
    .filter(([value, word]) => word !== value)
    .reduce(
      (inner, [value, word]) => `label_replace(${inner}, "${label}", "${word}", "${label}", "${value}")`,
      expr.text,
    )
  return text === expr.text ? expr : { text, simple: true }
}

/** Words for the values of a label; undefined if its values are already words. */
export function labelWords(label: string): ValueMapping | undefined {
  if (!Object.hasOwn(vocabularies, label)) return undefined
  const texts = vocabularies[label].map(([value, text], index) => [value, { text, index }] as const)
  return { type: MappingType.ValueToText, options: Object.fromEntries(texts) }
}

const acronyms: Readonly<Record<string, string>> = {
  Cpu: 'CPU',
  Gpu: 'GPU',
  Sla: 'SLA',
  Wan: 'WAN',
}

/** The name of an alert in words: `DcsimSlaBudgetBurnsFast` becomes `SLA budget burns fast`. */
export function alertWords(alertname: string): string {
  const words = alertname.replace(/^Dcsim/, '').match(/[A-Z][a-z0-9]*/g) ?? [alertname]
  const spelled = words.map((word) => acronyms[word] ?? word.toLowerCase())
  return capitalized(spelled.join(' '))
}
