import { describe, expect, test } from 'vitest'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import { day, hour } from '../../../../src/world/simulation/time.ts'
import { createRunningWorld } from '../running-world.ts'

const from = 10 * hour

describe('texts of an incident', () => {
  test('reads as plain sentences without a gap', () => {
    const { state, records, run } = createRunningWorld(8n, 'small', 20, from)
    const said = new Set<string>()
    run(day / 2, () => {
      if (state.tick % 30 !== 0) return
      records.update()
      for (const incident of [...records.incidents, ...records.resolvedIncidents]) {
        said.add(messageText(incident.symptom_msg_key, incident.symptom_msg_args))
        said.add(messageText(incident.root_msg_key, incident.root_msg_args))
        for (const cause of incident.causes) said.add(messageText(cause.msg_key, cause.msg_args))
        for (const { detail } of incident.timeline) said.add(detail)
        for (const { label_plain, value_plain, detail_plain } of incident.evidence) {
          for (const text of [label_plain, value_plain, detail_plain]) said.add(text)
        }
        if (incident.hint !== null) said.add(incident.hint)
      }
    })
    expect(said.size).toBeGreaterThan(100)
    const broken = [...said].filter((text) => /[{}*]|undefined|NaN|null|Infinity|^$|^\s|\s$/.test(text))
    expect(broken).toEqual([])
  })
})
