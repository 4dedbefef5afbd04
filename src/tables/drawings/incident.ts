/** An incident as its picture describes it, from records. */
import type { IncidentRecord } from '../../contract/collections.ts'
import { entitiesIn } from '../../contract/messages/entities.ts'
import { chainHeight, drawIncident, drawSentence } from '../../pictures/sheets/incident.ts'
import type { Theme } from '../../pictures/palette.ts'
import { sizeOfSvg } from '../../pictures/svg.ts'
import {
  causeState,
  incidentCause,
  incidentHeadline,
  incidentName,
  likeliestCause,
} from '../../words/incidents.ts'
import { capitalized, counted, dollarsText, listed } from '../../words/phrases.ts'
import { bandRank, causeWords } from '../../words/vocabulary.ts'
import { incidentsInOrder } from '../columns/incidents/incidents.ts'
import { incidentPlace, placesOfIncident } from '../columns/incidents/place.ts'
import { isChosen } from '../engine/query.ts'
import type { TableWorld } from '../engine/table-world.ts'
import { unlessUnknown } from '../engine/table.ts'
import { floorPicture } from './floor.ts'
import { networkPicture } from './network.ts'
import { known } from './readings.ts'
import type { PictureRequest } from './subjects.ts'

const networkKinds = new Set(['Gateway', 'Switch', 'Appliance', 'Cable'])

const entitiesOf = ({ symptom_msg_args, root_msg_args, causes }: IncidentRecord) =>
  [symptom_msg_args, root_msg_args, likeliestCause({ causes } as IncidentRecord)?.msg_args ?? []].flatMap(
    (given) => entitiesIn(given),
  )

const isOfNetwork = (incident: IncidentRecord): boolean =>
  incident.symptom_kind === 'TrafficFlood' ||
  incident.root_kind === 'Attack' ||
  entitiesOf(incident).some(({ kind }) => networkKinds.has(kind))

function describe(incident: IncidentRecord, world: TableWorld) {
  const cause = incident.confirmed
    ? incident.root_kind
    : (likeliestCause(incident)?.root_kind ?? incident.root_kind)
  const names = world.customerNames(incident.affected_customer_ids)
  const money = incident.revenue_at_risk_per_hour_dollars
  return {
    number: `#${incident.id}`,
    headline: unlessUnknown(() => incidentHeadline(incident)) ?? 'Incident',
    title: unlessUnknown(() => incidentName(incident)) ?? 'Incident',
    severity: bandRank(incident.band),
    steps: [
      {
        title: capitalized(unlessUnknown(() => `Cause, ${causeState(incident)}`) ?? 'Cause'),
        headline: capitalized(unlessUnknown(() => causeWords(cause)) ?? 'unknown'),
        lines: known(() => incidentCause(incident)),
      },
      {
        title: 'Where',
        headline: unlessUnknown(() => incidentPlace(incident, world)) ?? 'Unknown place',
        lines: known(
          () =>
            incident.affected_host_total > 0
              ? `${counted(incident.affected_host_total, 'host')} affected`
              : 'No host affected',
          () => incident.hint ?? '',
        ),
      },
      {
        title: 'Who is hit',
        headline: names.length === 0 ? 'No customer' : counted(names.length, 'customer'),
        lines: known(
          () => listed(names),
          () => (money > 0 ? `${dollarsText(money)}/h at risk` : ''),
        ),
      },
    ],
  }
}

/** Draws the incident that a request wants, or the gravest that is open. */
export function incidentPicture(world: TableWorld, request: PictureRequest, theme: Theme): string {
  const isGiven = request.filters.has('incident')
  const incident = incidentsInOrder(world).find(({ id, resolved_at_ns }) =>
    isGiven ? isChosen(request.filters, 'incident', [id]) : resolved_at_ns === null,
  )
  if (incident === undefined)
    return isGiven
      ? drawSentence('There is no such incident.', false, request.size, theme)
      : drawSentence('No incident is open.', true, request.size, theme)
  const described = describe(incident, world)
  const zones = new Set(
    (unlessUnknown(() => placesOfIncident(incident, world).zones) ?? []).map(({ id }) => String(id)),
  )
  const filters = new Map(zones.size === 0 ? [] : [['zone', [...zones]] as const])
  const emphasized = new Set(incident.affected_host_ids.map(String))
  const draw = isOfNetwork(incident) ? networkPicture : floorPicture
  const { size } = request
  const taken = size === null ? 0 : chainHeight(size.width, described.steps.length)
  const left = size === null ? null : { ...size, height: size.height - taken }
  const svg = draw(world, { ...request, filters, emphasized, size: left }, theme)
  return drawIncident(described, { svg, ...sizeOfSvg(svg) }, size, theme)
}
