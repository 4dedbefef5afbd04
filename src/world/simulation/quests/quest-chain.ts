import type { MessageKey } from '../../../contract/messages/catalog.ts'
import type { PartKind } from '../work/parts.ts'
import type { Skill } from '../work/plans.ts'
import type { QuestMetrics } from './quest-metrics.ts'

export type QuestReward =
  | { readonly kind: 'Spares'; readonly part: PartKind; readonly count: number }
  | { readonly kind: 'Hire'; readonly skill: Skill }
  | { readonly kind: 'Automation' }
  | { readonly kind: 'FasterDeliveries' }

type QuestSlug =
  Extract<MessageKey, `quest.${string}.title`> extends `quest.${infer Slug}.title` ? Slug : never

/** Reached when the metric is at least the target. */
export interface QuestGoal {
  readonly slug: QuestSlug
  readonly metric: keyof QuestMetrics
  readonly target: number
  readonly reward: QuestReward
}

/** The goals in order; targets grow with the number of hosts. Not every site can add zones. */
export function questChain(hosts: number, canAddZones = true): readonly QuestGoal[] {
  const customers = (share: number): number => Math.max(2, Math.round(hosts * share))
  const rounded = (perHost: number): number => Math.max(1_000, Math.round((hosts * perHost) / 1_000) * 1_000)
  return [
    goal('first-light', 'customersServed', customers(0.08), spares('cable', 4)),
    goal('first-fix', 'incidentsResolved', 1, spares('ssd', 2)),
    goal('open-doors', 'customersOnboarded', 1, spares('transceiver', 2)),
    goal('quiet-day', 'hoursReliable', 12, spares('psu', 2)),
    goal('first-money', 'dollarsEarned', rounded(250), spares('fan', 2)),
    goal('quick-hands', 'quickFixes', 10, hire('hardware')),
    goal('before-it-breaks', 'upkeepDone', 6, spares('filter', 6)),
    goal('shield-up', 'attacksTurnedAway', 12, spares('appliance', 1)),
    goal('in-the-black', 'hoursProfitable', 24, spares('mainboard', 2)),
    goal('room-to-grow', 'hoursWithRoom', 72, automation),
    goal('ten-down', 'incidentsResolved', 60, hire('network')),
    goal('both-legs', 'hoursRedundant', 24, spares('battery', 1)),
    goal('critical-hour', 'criticalsWithinTheHour', 2, fasterDeliveries),
    goal('calm-hands', 'mildIncidents', 20, spares('switch', 1)),
    goal('cool-heads', 'hoursCool', 120, spares('compressor', 1)),
    goal('happy-crowd', 'satisfactionPct', 80, automation),
    goal('rule-books', 'ruleBooksServed', 5, hire('security')),
    goal('machines-at-work', 'jobsByAutomation', 150, automation),
    goal('full-house', 'customersServed', customers(0.4), hire('platform')),
    goal('fortress', 'attacksTurnedAway', 60, spares('gateway', 1)),
    goal('white-glove', 'platinumContent', customers(0.04), hire('power')),
    goal('reliable-days', 'hoursReliable', 72, fasterDeliveries),
    goal('rich-week', 'hoursRichlyProfitable', 168, automation),
    goal('old-hands', 'incidentsResolved', 250, hire('network')),
    goal('hall-of-fame', 'dollarsEarned', rounded(12_000), hire('hardware')),
    goal('new-wing', 'zonesOpened', 1, hire('power')),
    goal('next-generation', 'denserHosts', Math.max(2, Math.round(hosts * 0.25)), automation),
    goal('crowded-house', 'customersServed', customers(0.8), hire('platform')),
    goal('third-wing', 'zonesOpened', 2, hire('network')),
    goal('household-name', 'dollarsEarned', rounded(100_000), fasterDeliveries),
  ].filter(({ metric }) => canAddZones || metric !== 'zonesOpened')
}

const goal = (
  slug: QuestSlug,
  feat: keyof QuestMetrics,
  atLeast: number,
  reward: QuestReward,
): QuestGoal => ({
  slug,
  metric: feat,
  target: atLeast,
  reward,
})
const spares = (part: PartKind, count: number): QuestReward => ({ kind: 'Spares', part, count })
const hire = (skill: Skill): QuestReward => ({ kind: 'Hire', skill })
const automation: QuestReward = { kind: 'Automation' }
const fasterDeliveries: QuestReward = { kind: 'FasterDeliveries' }
