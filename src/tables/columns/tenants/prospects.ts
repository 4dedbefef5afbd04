import type { ProspectRecord } from '../../../contract/collections.ts'
import { ProspectSchema } from '../../../contract/records/customers.ts'
import { nullable, str } from '../../../contract/fields.ts'
import { displayThresholds, thresholds } from '../../../contract/thresholds.ts'
import { momentOrder, relativeTime, secondsBetween } from '../../../words/moments.ts'
import { capitalized, plain } from '../../../words/phrases.ts'
import { knownOr, recommendationWords, serviceWords } from '../../../words/vocabulary.ts'
import { idColumn, relativeColumn, severityColumn, someText } from '../../engine/columns.ts'
import { idText } from '../../engine/table-world.ts'
import type { TableWorld } from '../../engine/table-world.ts'
import { column, columnsOf, defineTable, each } from '../../engine/table.ts'

const secondsPerHour = 3600

/** The effect of accepting a prospect that can be placed now. */
const roomTexts: Readonly<Record<ProspectRecord['fit_recommendation'], string>> = {
  Accept: 'All of it can be placed now.',
  AcceptWithCare: 'All of it can be placed now, with part of the reserve.',
  AddCapacity: 'It would leave too little in reserve.',
  Decline: 'All of it can be placed now.',
}

/** The placement forecast of a prospect, as a sentence. */
export function fitText(prospect: ProspectRecord): string {
  if (prospect.fit_can_serve_now) return knownOr(roomTexts, prospect.fit_recommendation, roomTexts.Accept)
  if (prospect.fit_over_capacity) return 'Part of it does not fit on any host.'
  if (prospect.fit_oversubscribed) return 'CPU would pass the overcommit target.'
  return prospect.requires_uncontended && prospect.uncontended_hosts_available === 0
    ? 'No host is free of contention.'
    : 'Not all of it can be placed now.'
}

const secondsLeft = ({ expires_at_ns }: ProspectRecord, { nowNs }: TableWorld): number =>
  secondsBetween(nowNs, expires_at_ns)

/** The less time is left, the more urgent the prospect. */
export function prospectSeverity(prospect: ProspectRecord, world: TableWorld): number {
  const seconds = secondsLeft(prospect, world)
  if (seconds <= displayThresholds.prospectExpiresSoonHours * secondsPerHour) return 3
  return seconds <= thresholds.prospectExpiresHours * secondsPerHour ? 2 : 0
}

export const prospectsInOrder = ({ records }: TableWorld): readonly ProspectRecord[] =>
  records.all('prospects').toSorted((one, other) => momentOrder(one.expires_at_ns, other.expires_at_ns))

const prospect = columnsOf(ProspectSchema)

export const prospects = defineTable<ProspectRecord>({
  name: 'prospects',
  meaning: 'Prospects, those whose requests expire first at the top.',
  row: ['ProspectRow', 'A potential customer.'],
  worldParts: ['prospects'],
  ...each(prospectsInOrder),
  filters: {
    prospect: { meaning: 'Id or name of a prospect.', values: ({ id, name }) => [id, name] },
    plan: { meaning: 'Bronze, Silver, Gold or Platinum.', values: ({ tier }) => [tier] },
    advice: {
      meaning: 'What to do, such as accept.',
      values: ({ fit_recommendation: advice }) => [advice, recommendationWords(advice)],
    },
  },
  columns: {
    prospect_id: column(idColumn('prospect'), ({ id }) => idText(id)),
    prospect: prospect('name'),
    plan: prospect('tier'),
    severity: column(severityColumn, prospectSeverity),
    advice: column(str('What to do, in words.'), ({ fit_recommendation }) =>
      capitalized(recommendationWords(fit_recommendation)),
    ),
    fit: column(str('Whether it can be served, as a sentence.'), fitText),
    wants: column(nullable(str('Services that it wants, in words.')), ({ services }) =>
      someText(
        services
          .map(({ requested_count, class_tag }) => `${plain(requested_count)} × ${serviceWords(class_tag)}`)
          .join(', '),
      ),
    ),
    revenue_dollars_per_month: prospect('estimated_monthly_revenue_dollars'),
    expires: column(relativeColumn('When it goes elsewhere.'), ({ expires_at_ns }, { nowNs }) =>
      relativeTime(expires_at_ns, nowNs),
    ),
    cpu_after_pct: prospect('fit_vcpu_after_pct'),
    memory_after_pct: prospect('fit_mem_after_pct'),
    disk_after_pct: prospect('fit_ssd_after_pct'),
  },
})
