import type { ObservedWorld } from '../../state.ts'
import { clockTime } from '../../time.ts'
import { customerIdOf, isAtPart, zonesOfSubject } from '../correlation/subjects.ts'
import { severityOf, worstAffected } from '../impact.ts'
import type { Headline, Incident, Symptom } from '../model.ts'
import { touch, writable } from '../model.ts'
import { isPowered } from '../monitors/devices.ts'
import { isCustomerImpairment, isCustomerSignal, isHostile } from '../monitors/signals.ts'
import type { SignalName } from '../monitors/signals.ts'
import { hostsDownWording, symptomKindOf, symptomWording, zonesDownWording } from '../wording.ts'
import type { Wording } from '../wording.ts'
import { swapDetails } from './timeline.ts'

/** The symptom in the title of an incident. */

/** Ratio by which a customer must be affected worse to replace the one in the title, and a reading differ from it. */
const replacesRatio = 1.25
const followedRatio = 1.1

/** Signals whose readings are whole numbers, as in the evidence: the title follows each change. */
const countedSignals: ReadonlySet<SignalName> = new Set<SignalName>(['host-hot', 'zone-hot'])

export function headlineOf(world: ObservedWorld, symptom: Symptom): Headline {
  const { signal } = symptom
  const { key, args, text } = symptomWording(world, symptom)
  const isImpaired = isCustomerImpairment(signal) && !isHostile(signal)
  return {
    symptomKey: symptom.key,
    signal,
    kind: symptomKindOf(symptom),
    key,
    args,
    text,
    reading: symptom.reading,
    severity: isImpaired ? severityOf(world, symptom) : isCustomerSignal(signal) ? 1 : 0.5,
    customerId: customerIdOf(symptom.subject),
  }
}

/** Titles a new incident by its worst customer symptom, or by its suspect, which then opens the timeline. */
export function titleByWorstAffected(world: ObservedWorld, incident: Incident): void {
  const { text: first } = incident.headline
  dropMovedTitles(world, incident)
  const worst = worstAffected(world, incident.symptoms)
  if (worst !== null && isCustomerImpairment(incident.headline.signal))
    title(world, incident, headlineOf(world, worst))
  else titleBySuspect(world, incident)
  if (incident.headline.text !== first) swapDetails(incident, first, incident.headline.text)
}

/** Of parts with one symptom, the title names the one that is suspected, or the confirmed cause. */
function titleBySuspect(world: ObservedWorld, incident: Incident): void {
  const { suspect, headline, peakHeadline } = incident
  if (suspect === null || headline.symptomKey === null || isCustomerSignal(headline.signal)) return
  const alike = [...incident.symptoms].filter((one) => one.signal === headline.signal && isSeen(world, one))
  const suspected = alike.filter(({ subject }) => isAtPart(world, subject, suspect))
  if (suspected.length === 0 || suspected[0].key === headline.symptomKey) return
  title(world, incident, headlineOf(world, suspected[0]))
  if (peakHeadline.signal === headline.signal) writable(incident, 'title').peakHeadline = incident.headline
}

/** Number of silent hosts from which the title counts them. */
const hostCountMin = 3

/** Ranks of titles. A customer's symptom yields to several hosts alone, as the title names the worst affected one. */
const ranks = { warning: 0, impairment: 1, outage: 2, hostsDown: 3 } as const

const warnings: ReadonlySet<SignalName> = new Set<SignalName>([
  'feed-on-battery',
  'cooling-stopped',
  'host-fan',
  'host-disk',
  'host-supply',
  'host-memory',
  'host-clock',
  'switch-supply',
  'link-errors',
  'link-flapping',
])
const outages: ReadonlySet<SignalName> = new Set<SignalName>([
  'host-silent',
  'switch-silent',
  'gateway-silent',
  'appliance-silent',
])

function rankOfSignal(signal: SignalName): number {
  if (outages.has(signal) || isCustomerSignal(signal)) return ranks.outage
  return warnings.has(signal) ? ranks.warning : ranks.impairment
}

const rankOf = ({ symptomKey, signal }: Headline): number =>
  symptomKey === null ? ranks.hostsDown : rankOfSignal(signal)

/** The title follows the gravest symptom, its reading and, until the cause is confirmed, the worst affected customer. */
export function retitle(world: ObservedWorld, incident: Incident): void {
  dropMovedTitles(world, incident)
  titleBySuspect(world, incident)
  const { symptoms, headline } = incident
  const dark = darkZones(world, incident)
  if (dark.length > 0) return titleByZones(world, incident, dark)
  const hosts = [...symptoms].filter(({ signal }) => signal === 'host-silent')
  const down = hosts.filter((host) => isSeen(world, host))
  if (down.length >= hostCountMin) return titleByHosts(world, incident, down)
  if (hosts.length >= hostCountMin && headline.symptomKey === null) return showPast(world, incident)
  const [gravest, worst] = [gravestOfDevices(symptoms), worstAffected(world, symptoms)]
  const titled = symptoms.values().find(({ key }) => key === headline.symptomKey)
  const breach = symptoms.values().find(({ signal }) => signal === 'customer-breached')
  if (breach !== undefined && isHostile(headline.signal) && headline.signal !== breach.signal)
    return title(world, incident, headlineOf(world, breach))
  const wasOfCustomer = isCustomerImpairment(headline.signal)
  const left = titled !== undefined ? gravest : wasOfCustomer ? (worst ?? gravest) : (gravest ?? worst)
  if (left !== null && (titled === undefined || rankOfSignal(left.signal) > rankOf(headline)))
    return title(world, incident, headlineOf(world, left))
  if (titled === undefined || !isSeen(world, titled)) return showPast(world, incident)
  const change = titled.reading / headline.reading
  const isOther =
    countedSignals.has(titled.signal) && Math.round(titled.reading) !== Math.round(headline.reading)
  if (isPast(headline) || isOther || change >= followedRatio || change <= 1 / followedRatio)
    return title(world, incident, headlineOf(world, titled))
  if (incident.root !== null || !wasOfCustomer || worst === null) return
  if (severityOf(world, worst) > replacesRatio * severityOf(world, titled))
    title(world, incident, headlineOf(world, worst))
}

const isSeen = ({ now }: ObservedWorld, { lastSeen }: Symptom): boolean => lastSeen === now
const isPast = ({ args }: Headline): boolean => args.at(-1)?.key === 'until'

/** Says until when the title was so: nothing has shown it since. */
function showPast(world: ObservedWorld, incident: Incident): void {
  const { headline } = incident
  if (isPast(headline)) return
  const until = { key: 'until', text: clockTime(world.now), number: 0, is_number: false }
  writable(incident, 'title').headline = { ...headline, args: [...headline.args, until] }
  touch(incident, world.now)
}

/** A title about a symptom that moved to another incident is that one's: the gravest of its own replaces it. */
function dropMovedTitles(world: ObservedWorld, incident: Incident): void {
  const { symptoms, symptomKeys, headline, peakHeadline } = incident
  const isMoved = ({ symptomKey }: Headline): boolean => symptomKey !== null && !symptomKeys.has(symptomKey)
  const peaks = [...incident.formerPeaks, peakHeadline]
  if (!isMoved(headline) && !peaks.some(isMoved)) return
  const symptom = worstAffected(world, symptoms) ?? gravestOfDevices(symptoms)
  const left = symptom === null ? null : headlineOf(world, symptom)
  const own = peaks.filter((peak) => !isMoved(peak))
  const peak = own.pop() ?? left
  if (peak === null) return
  Object.assign(writable(incident, 'title'), { peakHeadline: peak, formerPeaks: own })
  if (isMoved(headline)) title(world, incident, left ?? peak)
}

function gravestOfDevices(symptoms: Iterable<Symptom>): Symptom | null {
  let gravest: Symptom | null = null
  for (const symptom of symptoms) {
    if (isCustomerSignal(symptom.signal)) continue
    if (gravest === null || rankOfSignal(symptom.signal) > rankOfSignal(gravest.signal)) gravest = symptom
  }
  return gravest
}

/** Zones without voltage, where it hurts customers; their hosts have no symptoms of their own. */
function darkZones(world: ObservedWorld, { symptoms }: Incident): readonly number[] {
  if (!symptoms.values().some(({ signal }) => isCustomerImpairment(signal))) return []
  const feeds = symptoms.values().filter(({ signal }) => signal === 'feed-dead')
  const zones = new Set(feeds.flatMap(({ subject }) => zonesOfSubject(world, subject)))
  return [...zones].filter((zone) => !isPowered(world, zone))
}

function titleByZones(world: ObservedWorld, incident: Incident, zones: readonly number[]): void {
  const { topology, facility } = world
  const hosts = zones.flatMap((zone) => Array.from(topology.zones[zone].hosts))
  const count = hosts.filter((host) => facility.hostRunning[host] === 0).length
  titleByCount(world, incident, zonesDownWording(world, zones, count), count)
}

function titleByHosts(world: ObservedWorld, incident: Incident, hosts: readonly Symptom[]): void {
  const isOverheated = incident.symptoms.values().some(({ signal }) => signal === 'zone-hot')
  titleByCount(world, incident, hostsDownWording(world, hosts, isOverheated), hosts.length)
}

function titleByCount(world: ObservedWorld, incident: Incident, wording: Wording, count: number): void {
  if (wording.text === incident.headline.text) return
  const counted = {
    symptomKey: null,
    signal: 'host-silent',
    kind: 'HostUnreachable',
    reading: count,
  } as const
  title(world, incident, { ...wording, ...counted, severity: 1, customerId: null }, count)
}

/** Shows a resolved incident's gravest title. */
export function titleByPeak(world: ObservedWorld, incident: Incident): void {
  dropMovedTitles(world, incident)
  title(world, incident, incident.peakHeadline, incident.peakHostCount)
}

function title(world: ObservedWorld, incident: Incident, headline: Headline, hostCount = 0): void {
  const fields = writable(incident, 'title')
  fields.headline = headline
  const { peakHeadline: peak, peakHostCount } = incident
  const isGravest = rankOf(headline) >= rankOf(peak) && hostCount >= peakHostCount && !isLess(headline, peak)
  if (isGravest && !isAfterCause(incident, headline)) {
    fields.formerPeaks = peaksBeside(headline, [...incident.formerPeaks, peak])
    fields.peakHeadline = headline
    fields.peakHostCount = hostCount
  }
  touch(incident, world.now)
}

/** The last one about each other symptom. */
const peaksBeside = ({ symptomKey: own }: Headline, peaks: readonly Headline[]): Headline[] =>
  peaks.filter(
    ({ symptomKey: key }, at) => key !== own && peaks.findLastIndex((one) => one.symptomKey === key) === at,
  )

/** Whether a title says less: of a customer that suffers less, of a part after another, or of the same. */
function isLess(headline: Headline, peak: Headline): boolean {
  if (headline.severity !== peak.severity) return headline.severity < peak.severity
  if (headline.symptomKey !== peak.symptomKey)
    return headline.customerId === null && rankOf(headline) === rankOf(peak)
  return headline.reading < peak.reading
}

/** Whether a title is about a symptom that began after the confirmed cause had ended. */
const isAfterCause = ({ symptoms, root }: Incident, { symptomKey }: Headline): boolean =>
  symptoms.values().some(({ key, since }) => key === symptomKey && since > (root?.ended ?? Infinity))
