import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Faults in turn, repeatedly: one of every kind that dashboards show. */
const troubles = [
  {
    do: 'Attack',
    target: { kind: 'Customer', pick: 'busiest' },
    class: 'Volumetric',
    magnitude: 2.5,
    for: '3h',
  },
  { do: 'HostFailure', target: { kind: 'Host', pick: 'busiest', count: 3 } },
  { do: 'Attack', target: { kind: 'Customer', pick: 'random' }, class: 'Intrusion', magnitude: 4, for: '3h' },
  {
    do: 'TransceiverFailure',
    target: { kind: 'Port', role: 'edge-uplink', pick: 'busiest' },
    magnitude: 0.3,
  },
  { do: 'DemandSurge', target: { kind: 'Customer', share: 0.5 }, magnitude: 4, for: '2h' },
  { do: 'PortFlap', target: { kind: 'Port', role: 'edge-uplink', pick: 'random' } },
  { do: 'SwitchFailure', target: { kind: 'Switch', role: 'core', pick: 'busiest' } },
  {
    do: 'Attack',
    target: { kind: 'Customer', pick: 'random' },
    class: 'Application',
    magnitude: 3,
    for: '2h',
  },
  { do: 'Drain', target: { kind: 'Host', share: 0.3 }, for: '2h' },
] as const

const minutesApart = 15
const rounds = 12

export const eventfulSteps = {
  name: 'eventful',
  title: 'Eventful',
  description: 'Something of every kind that dashboards show goes wrong, again and again.',
  // So that the first incident, and the quest that follows from it, occur during the recording.
  spontaneity: 0,
  steps: Array.from({ length: rounds * troubles.length }, (_, at) => ({
    at: `${1 + at * minutesApart}m`,
    ...troubles[at % troubles.length],
  })),
}

/** The scenario in a temporary file. */
export function eventfulScenario(): { path: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'eventful-'))
  const path = join(folder, 'eventful.json')
  writeFileSync(path, JSON.stringify(eventfulSteps))
  return { path, remove: () => rmSync(folder, { recursive: true }) }
}
