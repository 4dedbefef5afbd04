import type { IncidentRecord } from '../../contract/collections.ts'
import { entitiesIn } from '../../contract/messages/entities.ts'
import { possibleDeviceNames } from '../../words/foreign-messages.ts'
import type { FilterValues } from '../engine/table.ts'

type Arguments = IncidentRecord['symptom_msg_args']

/** Names of the devices in messages. */
export const mentionedDevices = (messages: readonly Arguments[]): FilterValues =>
  messages.flatMap((given) => {
    const entities = entitiesIn(given)
    return entities.length > 0 ? entities.map(({ name }) => name) : possibleDeviceNames(given)
  })

/** The devices of an incident's symptom and of its possible causes. */
export const devicesOfIncident = ({ symptom_msg_args, root_msg_args, causes }: IncidentRecord) =>
  mentionedDevices([
    symptom_msg_args,
    root_msg_args,
    ...causes.filter(({ cleared }) => !cleared).map(({ msg_args }) => msg_args),
  ])
