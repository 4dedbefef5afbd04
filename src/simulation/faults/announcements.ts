import {
  type Argument,
  type ArgumentsOf,
  messageArguments,
  type MessageKey,
  messages,
  messageText,
} from '../../contract/messages/catalogue.ts'
import type { causeMessages } from '../../contract/messages/incident-causes.ts'
import type { symptomMessages } from '../../contract/messages/incident-symptoms.ts'
import type { Band, RootKind, Severity } from '../../contract/vocabularies.ts'
import { round } from '../numeric.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import type { Symptom } from './board.ts'
import { signals, type Subject } from './signals.ts'
import { cableName, nameOf, placeOf } from './targets.ts'

/** Symptoms and causes in words. */

export interface Wording {
  readonly key: MessageKey
  readonly args: Argument[]
  readonly text: string
}

type SymptomKey = keyof typeof symptomMessages
type CauseKey = keyof typeof causeMessages

/** The arguments that a template asks for, out of those that there are. */
function wording(key: SymptomKey | CauseKey, there: Readonly<Record<string, string | number>>): Wording {
  const asked = Object.entries(there).filter(([name]) => messages[key].includes(`{${name}}`))
  const args = messageArguments(key, Object.fromEntries(asked) as ArgumentsOf<typeof key>)
  return { key, args, text: messageText(key, args) }
}

export function nameOfSubject(state: WorldState, subject: Subject): string {
  if (subject.kind === 'Zone') return state.plant.zones[subject.row].displayName
  if (subject.kind === 'Cable') return cableName(state.plant, subject.row)
  if (subject.kind === 'CoolingUnit') return state.plant.coolingUnits.name[subject.row]
  return nameOf(state, subject)
}

export const placeOfSubject = (state: WorldState, subject: Subject): string =>
  subject.kind === 'Zone' ? state.plant.zones[subject.row].displayName : placeOf(state, subject)

/** From this share of failing requests on, a customer counts as down. */
const downPercent = 50
export const isDown = (symptom: Symptom): boolean =>
  symptom.signal === 'customer-failing' && symptom.reading >= downPercent

export function symptomWording(state: WorldState, symptom: Symptom): Wording {
  const key: SymptomKey = isDown(symptom)
    ? 'symptom.customer-down'
    : (`symptom.${symptom.signal}` as SymptomKey)
  const value = round(symptom.reading, symptom.reading < 10 ? 2 : 0)
  const { subject } = symptom
  return wording(key, { name: nameOfSubject(state, subject), place: placeOfSubject(state, subject), value })
}

export const symptomKindOf = (symptom: Symptom) =>
  isDown(symptom) ? 'ServiceDown' : signals[symptom.signal].symptom

const causeKeys: Readonly<Record<RootKind, CauseKey>> = {
  Unknown: 'cause.unknown',
  HostFailure: 'cause.host-failure',
  DiskFailure: 'cause.disk-failure',
  PowerSupplyFailure: 'cause.power-supply-failure',
  PowerFeedLoss: 'cause.power-feed-loss',
  FanFailure: 'cause.fan-failure',
  CoolingFailure: 'cause.cooling-failure',
  SwitchFailure: 'cause.switch-failure',
  GatewayFailure: 'cause.gateway-failure',
  ApplianceFailure: 'cause.appliance-failure',
  PortFlap: 'cause.port-flap',
  CableCut: 'cause.cable-cut',
  TransceiverFailure: 'cause.transceiver-failure',
  FirmwareFault: 'cause.firmware-fault',
  LinkSaturation: 'cause.link-saturation',
  FabricSaturation: 'cause.fabric-saturation',
  BroadcastStorm: 'cause.broadcast-storm',
  Misconfiguration: 'cause.misconfiguration',
  AddonThrottling: 'cause.addon-throttling',
  CapacityExhaustion: 'cause.capacity-exhaustion',
  DemandSurge: 'cause.demand-surge',
  Attack: 'cause.attack',
}

export const causeWording = (state: WorldState, kind: RootKind, target: FaultTarget): Wording =>
  wording(causeKeys[kind], { name: capital(nameOf(state, target), causeKeys[kind]) })

/** A name at the beginning of a sentence begins with a capital where it begins with a word of ours. */
function capital(name: string, key: CauseKey): string {
  const first = messages[key].startsWith('{name}')
  return first && name.startsWith('cooling unit') ? name[0].toUpperCase() + name.slice(1) : name
}

export const unknownWording: Wording = { key: 'cause.unknown', args: [], text: messages['cause.unknown'] }

export const severityOf: Readonly<Record<Band, Severity>> = {
  Watch: 'Info',
  Minor: 'Warning',
  Major: 'Error',
  Critical: 'Critical',
}
