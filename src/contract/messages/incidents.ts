import { causeMessages } from './incident-causes.ts'
import { incidentEventMessages } from './incident-events.ts'
import { symptomMessages } from './incident-symptoms.ts'

export const incidentMessages = { ...symptomMessages, ...causeMessages, ...incidentEventMessages } as const
