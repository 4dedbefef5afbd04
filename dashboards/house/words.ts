import { MappingType } from '@grafana/grafana-foundation-sdk/dashboard'
import type { ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import {
  accelerators,
  applianceKinds,
  archetypes,
  blockings,
  fitRecommendations,
  lifecycles,
  rootKinds,
  securityAddons,
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
  symptomWords,
  threatWords,
  workKindWords,
} from '../../src/words/vocabulary.ts'

const spoken = (values: readonly string[], wordsOf: (value: string) => string): [string, string][] =>
  values.map((value) => [value, capitalized(wordsOf(value))])

/** What the values of labels are called, by label. A kind is one of an appliance or of a work order. */
const vocabularies: Readonly<Record<string, readonly (readonly [value: string, text: string])[]>> = {
  accelerator: spoken(accelerators, acceleratorWords),
  actor: spoken(workActors, actorWords),
  addon: spoken(securityAddons, plainWords),
  archetype: spoken(archetypes, businessWords),
  blocking: spoken(blockings, blockingWords),
  class: spoken(threatClasses, threatWords),
  kind: [...spoken(applianceKinds, applianceWords), ...spoken(workOrderKinds, workKindWords)],
  lifecycle: spoken(lifecycles, lifecycleWords),
  recommendation: spoken(fitRecommendations, recommendationWords),
  root_kind: spoken(rootKinds, causeWords),
  symptom_kind: spoken(symptomKinds, symptomWords),
  wan_policy: spoken(wanPolicies, plainWords),
}

/** Words for the values of a label. None where its values are words already. */
export function labelWords(label: string): ValueMapping | undefined {
  if (!Object.hasOwn(vocabularies, label)) return undefined
  const texts = vocabularies[label].map(([value, text], index) => [value, { text, index }] as const)
  return { type: MappingType.ValueToText, options: Object.fromEntries(texts) }
}
