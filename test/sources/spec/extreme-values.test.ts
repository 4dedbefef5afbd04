/** Times at the end of the range, and speeds beyond any use. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tables } from '../../../src/tables/catalog.ts'
import { pictureNames } from '../../../src/tables/drawings/pictures.ts'
import { parseExposition } from '../../metrics/parsed-exposition.ts'
import { attach, textOf } from '../attached/attached-mirror.ts'
import type { Attached } from '../attached/attached-mirror.ts'
import { FakeUpstream } from '../attached/fake-upstream.ts'
import type { UpstreamPublish } from '../attached/fake-upstream.ts'
import { cadenceMs, comesTrue } from './mirrors.ts'
import { publishOf, worldWithEveryCollection } from './plain-world.ts'

const int64Max = 2n ** 63n - 1n
const readyWithinMs = 20_000

const texts = [
  ...[...tables.keys()].flatMap((name) => [`/tables/${name}`, `/tables/${name}.csv`]),
  ...pictureNames.map((name) => `/pictures/${name}.svg`),
]
const broken = /(?<![\w+])(?:NaN|Infinity|undefined|Invalid Date)\b|\[object/

const ordinary = publishOf(worldWithEveryCollection(), 1)

/** Every time of the world at the end of the range, a nanosecond after the other. */
function atTheEnd(publishSeq: number): UpstreamPublish {
  const late = (text: string): string =>
    text.replaceAll(/"(\w+_ns)":\d+/g, (_, name: string) => `"${name}":${int64Max - 1n}`)
  const collections = Object.fromEntries(
    Object.entries(ordinary.collections!).map(([name, records]) => [name, records.map(late)]),
  )
  const { events = [] } = ordinary
  const last = events.map((event, index) => {
    const atNs = int64Max - BigInt(events.length - index)
    return { atNs, json: event.json.replace(/"at_ns":\d+/, `"at_ns":${atNs}`) }
  })
  const simTimeNs = int64Max - 10n + BigInt(publishSeq)
  return { ...ordinary, publishSeq, simTimeNs, collections, events: last }
}

const withSpeed =
  (speed: string) =>
  (publishSeq: number): UpstreamPublish => ({
    ...ordinary,
    publishSeq,
    simTimeNs: ordinary.simTimeNs + BigInt(publishSeq),
    diagnostics: ordinary.diagnostics!.replace(/"speed":[^,}]+/, `"speed":${speed}`),
  })

let upstream: FakeUpstream
let attached: Attached
beforeEach(async () => {
  upstream = await FakeUpstream.start(null)
  attached = await attach(upstream.origin, { cadenceMs })
})
afterEach(async () => {
  await attached.mirror.close()
  await upstream.close()
})

test.each([
  ['times near 2^63', atTheEnd],
  ['a speed of 1e-300', withSpeed('1e-300')],
  ['a speed of 1e300', withSpeed('1e300')],
  ['a negative speed', withSpeed('-60')],
] as const)('%s are shown as they are, and as nothing that they are not', async (_, publishAt) => {
  for (const publishSeq of [1, 2]) {
    const publish = publishAt(publishSeq)
    upstream.publish = publish
    const isShown = async (): Promise<boolean> =>
      (await textOf(attached.origin, '/health')).includes(`"sim_time_ns":${publish.simTimeNs}`)
    expect(await comesTrue(isShown, readyWithinMs)).toBe(true)
    for (const { json } of publish.events!)
      expect(await textOf(attached.origin, '/api/v1/events?limit=1000')).toContain(json)
  }
  const families = parseExposition(await textOf(attached.origin, '/metrics'))
  const untold = [...families].filter(([name, { samples }]) => {
    const values = [...samples.values()]
    return name.startsWith('dcsim_') && values.some((value) => !Number.isFinite(value))
  })
  expect(untold).toEqual([])
  for (const path of texts) {
    const response = await fetch(`${attached.origin}${path}`)
    const text = await response.text()
    expect([path, response.status, broken.exec(text)?.[0]]).toEqual([path, 200, undefined])
  }
})
