import type { ProspectRecord } from '../../contract/collections.ts'
import { bool, defineRecord, int, nullable, str } from '../../contract/fields.ts'
import { displayThresholds, thresholds } from '../../contract/thresholds.ts'
import { isoTime, relativeTime, secondsBetween } from '../../words/moments.ts'
import { capitalized } from '../../words/phrases.ts'
import { requirementsText } from '../../words/requirements.ts'
import { businessWords, recommendationWords, serviceWords } from '../../words/vocabulary.ts'
import {
  amount,
  idColumn,
  idOrNone,
  momentColumn,
  relativeColumn,
  severityColumn,
  someText,
} from '../columns.ts'
import { idOrNull, idText } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'

const secondsPerHour = 3600

/** What it would leave, of one for which there is a place. */
const roomTexts: Readonly<Record<ProspectRecord['fit_recommendation'], string>> = {
  Accept: 'All of it can be placed now.',
  AcceptWithCare: 'All of it can be placed now, with part of the reserve.',
  AddCapacity: 'It could be placed now, and would leave too little in reserve.',
  Decline: 'All of it can be placed now.',
}

/** Why a prospect can or cannot be taken, as a sentence. */
export function fitText(prospect: ProspectRecord): string {
  if (prospect.fit_can_serve_now) return roomTexts[prospect.fit_recommendation]
  if (prospect.fit_over_capacity) return 'Part of it does not fit on any host.'
  if (prospect.fit_oversubscribed) return 'CPU would pass the overcommit target.'
  return prospect.requires_uncontended && prospect.uncontended_hosts_available === 0
    ? 'No host is free of contention.'
    : 'Not all of it can be placed now.'
}

/** The sooner it goes elsewhere, the more urgent. */
export function prospectSeverity({ expires_at_ns }: ProspectRecord, nowNs: bigint): number {
  const seconds = secondsBetween(nowNs, expires_at_ns)
  if (seconds <= displayThresholds.prospectExpiresSoonHours * secondsPerHour) return 3
  return seconds <= thresholds.prospectExpiresHours * secondsPerHour ? 2 : 0
}

export const prospects = defineTable({
  name: 'prospects',
  meaning: 'Prospects, those that expire first at the top.',
  row: defineRecord('ProspectRow', 'A potential customer.', {
    prospect_id: idColumn('prospect'),
    prospect: str('Name.'),
    plan: str('Plan that it asks for.'),
    business: str('Line of business, in words.'),
    severity: severityColumn,
    advice: str('What to do, in words.'),
    fit: str('Whether it can be served, as a sentence.'),
    can_serve_now: bool('Whether all of it could be placed now.'),
    wants: nullable(str('Services that it wants, in words.')),
    requirements: nullable(str('What it requires, in words.')),
    units: int('Units at the start.'),
    units_ceiling: int('Units that it may grow to.'),
    revenue_dollars_per_month: amount('Estimated revenue.', 'dollars_per_month'),
    signup_bonus_dollars: amount('What it pays on signing.', 'dollars'),
    expires_at: momentColumn('When it goes elsewhere.'),
    expires: relativeColumn('When it goes elsewhere.'),
    expires_in_seconds: amount('Simulated time until then.', 's'),
    cpu_after_pct: amount('CPU allocated after it has signed.', 'pct'),
    memory_after_pct: amount('Memory allocated after it has signed.', 'pct'),
    disk_after_pct: amount('Disk allocated after it has signed.', 'pct'),
    segment_id: idOrNone('segment that would take it'),
    segment: nullable(str('Name of that segment.')),
  }),
  reads: ['prospects'],
  items: ({ records }: TableWorld) =>
    records
      .all('prospects')
      .toSorted((one, other) => Number(BigInt(one.expires_at_ns) - BigInt(other.expires_at_ns))),
  filters: {
    prospect: { meaning: 'Id or name of a prospect.', values: ({ id, name }) => [id, name] },
    plan: { meaning: 'Bronze, Silver, Gold or Platinum.', values: ({ tier }) => [tier] },
    advice: {
      meaning: 'What to do, such as accept.',
      values: ({ fit_recommendation: advice }) => [advice, recommendationWords(advice)],
    },
  },
  toRow(prospect, { nowNs }) {
    const seconds = secondsBetween(nowNs, prospect.expires_at_ns)
    return {
      prospect_id: idText(prospect.id),
      prospect: prospect.name,
      plan: prospect.tier,
      business: businessWords(prospect.archetype),
      severity: prospectSeverity(prospect, nowNs),
      advice: capitalized(recommendationWords(prospect.fit_recommendation)),
      fit: fitText(prospect),
      can_serve_now: prospect.fit_can_serve_now,
      wants: someText(
        prospect.services
          .map(({ requested_count, class_tag }) => `${requested_count} × ${serviceWords(class_tag)}`)
          .join(', '),
      ),
      requirements: someText(requirementsText(prospect)),
      units: prospect.initial_vm_count,
      units_ceiling: prospect.growth_ceiling_vms,
      revenue_dollars_per_month: prospect.estimated_monthly_revenue_dollars,
      signup_bonus_dollars: prospect.signup_bonus_dollars,
      expires_at: isoTime(prospect.expires_at_ns),
      expires: relativeTime(prospect.expires_at_ns, nowNs),
      expires_in_seconds: seconds,
      cpu_after_pct: prospect.fit_vcpu_after_pct,
      memory_after_pct: prospect.fit_mem_after_pct,
      disk_after_pct: prospect.fit_ssd_after_pct,
      segment_id: idOrNull(prospect.covering_segment_id),
      segment: prospect.covering_segment_name,
    }
  },
})
