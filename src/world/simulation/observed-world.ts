import type { WorldView } from './state.ts'

/** The world as monitoring measures it. Which faults there are, and what operators do about them, are not part of it. */
export type ObservedWorld = Omit<
  WorldView,
  'faults' | 'incidents' | 'incidentControl' | 'operations' | 'money'
>
