import { describe, expect, test } from 'vitest'
import { parseActionLine } from '../../../src/world/scenarios/action-line.ts'
import { actionLineOf } from '../../../src/world/scenarios/action-words.ts'
import { hour, minute } from '../../../src/world/simulation/time.ts'

describe('a line of an actions file', () => {
  test('is an action, now or at a time', () => {
    const target = '"target":{"kind":"Switch","role":"core","pick":"busiest"}'
    expect(parseActionLine(`{"do":"SwitchFailure",${target},"for":"30m"}`)).toMatchObject({
      line: { at: null, action: { action: 'SwitchFailure', duration: 30 * minute } },
    })
    expect(parseActionLine(`{"at":"1h 30m","do":"SwitchFailure",${target}}`)).toMatchObject({
      line: { at: 1.5 * hour, action: { duration: null } },
    })
  })

  test.each([
    [
      'an unknown action',
      '{"do":"SwichFailure","target":{"kind":"Switch"}}',
      7,
      'did you mean "SwitchFailure"?',
    ],
    [
      'a target that does not fit',
      '{"do":"HostFailure","target":{"kind":"Switch"}}',
      38,
      'unknown target of HostFailure "Switch"',
    ],
    ['no target', '{"do":"HostFailure"}', 1, 'missing "target": expected what the action applies to'],
    ['no action', '{"target":{"kind":"Host"}}', 1, 'missing "do": expected an action'],
    [
      'an unknown key',
      '{"do":"HostFailure","target":{"kind":"Host"},"during":"2h"}',
      46,
      'unknown key of an action "during"',
    ],
    [
      'a wrong time',
      '{"do":"HostFailure","target":{"kind":"Host"},"at":"soon"}',
      51,
      'expected a time such as "2d 4h"',
    ],
    [
      'a magnitude out of range',
      '{"do":"CableFault","target":{"kind":"Cable"},"magnitude":2}',
      58,
      'expected a number from 0.001 to 1, got 2',
    ],
    [
      'a surge without an end',
      '{"do":"DemandSurge","target":{"kind":"Customer"}}',
      1,
      'missing "for": expected the duration of DemandSurge',
    ],
    [
      'an attack without a class',
      '{"do":"Attack","target":{"kind":"Customer"},"for":"1h"}',
      1,
      'missing "class": expected the class of the attack',
    ],
    ['words instead of JSON', 'SwitchFailure core', 1, 'expected a value, got "SwitchFailure"'],
    ['half an object', '{"do":"HostFailure",', 21, 'expected a key in quotes, got the end of the text'],
    ['a list', '[]', 1, 'expected an action as an object, got a list'],
    ['a line without end', ' '.repeat(10_001), 1, 'expected at most 10000 characters, got 10001'],
  ])('with %s is refused', (_, text, column, reason) => {
    const parsed = parseActionLine(text)
    expect(parsed).toEqual({ problem: { column, message: expect.stringContaining(reason) } })
  })
})

describe('an action in words', () => {
  test.each([
    [
      'SwitchFailure core busiest for 30m',
      { do: 'SwitchFailure', target: { kind: 'Switch', role: 'core', pick: 'busiest' }, for: '30m' },
    ],
    ['HostFailure', { do: 'HostFailure', target: { kind: 'Host' } }],
    [
      'HostFailure zone 2 share 20% for 1h 30m at 2h',
      { do: 'HostFailure', target: { kind: 'Host', zone: 2, share: 0.2 }, for: '1h 30m', at: '2h' },
    ],
    [
      'Attack busiest Volumetric magnitude 2.5 for 20m count 2',
      {
        do: 'Attack',
        target: { kind: 'Customer', pick: 'busiest', count: 2 },
        class: 'Volumetric',
        magnitude: 2.5,
        for: '20m',
      },
    ],
    [
      'powerfeedloss zone 1 side a',
      { do: 'PowerFeedLoss', target: { kind: 'PowerFeed', zone: 1, side: 'A' } },
    ],
    [
      'PowerFeedLoss zone 1 side A',
      { do: 'PowerFeedLoss', target: { kind: 'PowerFeed', zone: 1, side: 'A' } },
    ],
    [
      'StuckBatteryTest zone 1 B',
      { do: 'StuckBatteryTest', target: { kind: 'PowerFeed', zone: 1, side: 'B' } },
    ],
    [
      'attack volumetric customer busiest for 2h',
      { do: 'Attack', target: { kind: 'Customer', pick: 'busiest' }, class: 'Volumetric', for: '2h' },
    ],
    [
      'PowerFeedLoss feed A of Tallisford A for 15m',
      { do: 'PowerFeedLoss', target: { kind: 'PowerFeed', zone: 'Tallisford A', side: 'A' }, for: '15m' },
    ],
    [
      'TransceiverFailure tfd-b-b03-edge1 Eth1/15 at 2h',
      { do: 'TransceiverFailure', target: { kind: 'Port', name: 'tfd-b-b03-edge1 Eth1/15' }, at: '2h' },
    ],
    ['Repair Switch id 3', { do: 'Repair', target: { kind: 'Switch', id: 3 } }],
  ])('%s', (words, line) => {
    const read = actionLineOf(words)
    expect('json' in read && (JSON.parse(read.json) as unknown)).toEqual(line)
  })

  test.each([
    ['SwichFailure core', 'unknown action "SwichFailure"; did you mean "SwitchFailure"?'],
    ['SwitchFailure cor', 'unknown word "cor"; did you mean "core"?'],
    ['SwitchFailure xyzzyplugh', 'unknown word "xyzzyplugh"; act --list lists what there is'],
    ['HostFailure for', '"for": expected a value, got nothing'],
    ['HostFailure for ever', '"for": got "ever", expected a time such as 45s, 30m or 1h 30m'],
    ['HostFailure zone two', '"zone": got "two", expected a number'],
    ['HostFailure zone 20%', '"zone": got "20%", expected a number'],
    ['PowerSupplyFailure busiest', 'PowerSupplyFailure: expected what it applies to, one of Host, Switch'],
    ['HostFailure core', '"role" does not select a Host; expected any of id, zone, pick, count, share'],
    ['DemandSurge busiest', 'missing "for": expected the duration of DemandSurge, such as "45m"'],
    ['', 'unknown action ""; act --list lists what there is'],
  ])('"%s" is refused', (words, problem) => {
    expect(actionLineOf(words)).toEqual({ problem })
  })
})
