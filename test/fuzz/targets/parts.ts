/** Upstreams without some routes, fields and records, while they run: a mirror shows the rest, and nothing but the truth. */
import { isDeepStrictEqual } from 'node:util'
import { collectionNames, collections } from '../../../src/contract/collections.ts'
import type { CollectionName } from '../../../src/contract/collections.ts'
import type { RecordType } from '../../../src/contract/fields.ts'
import { tables } from '../../../src/tables/catalog.ts'
import { pictureNames } from '../../../src/tables/drawings/pictures.ts'
import { parseExposition } from '../../metrics/parsed-exposition.ts'
import type { SeededRandom } from '../../fixtures/seeded-random.ts'
import { attach, textOf } from '../../sources/attached/attached-mirror.ts'
import { checkPart, shownPart, worldParts } from '../../sources/spec/checks.ts'
import type { WorldPart } from '../../sources/spec/checks.ts'
import { absencesOf } from '../../sources/spec/missing-routes.ts'
import type { Answer } from '../../sources/spec/missing-routes.ts'
import { comesTrue, publishesUntilReady, shownOf } from '../../sources/spec/mirrors.ts'
import { withRecords, worldWithEveryCollection } from '../../sources/spec/plain-world.ts'
import type { PlainWorld } from '../../sources/spec/plain-world.ts'
import { isKept, mapped } from '../../sources/spec/readings.ts'
import { untrueSamples } from '../../sources/spec/shown.ts'
import type { Shown } from '../../sources/spec/shown.ts'
import { isOf, listedParts, SpecUpstream, targetOf } from '../../sources/spec/spec-upstream.ts'
import type { Part } from '../../sources/spec/spec-upstream.ts'
import type { FuzzCase, Observe, OpenTarget } from '../target.ts'

const lanes = 2
const cadenceMs = 40
const publishesMax = 5
/** How often parts come and go in a case, and how many fields are missing. */
const phasesMax = 3
const gapsMax = 8
const settledWithinMs = 60_000
const textsAtOnce = 6
const texts = [
  ...[...tables.keys()].map((name) => `/tables/${name}`),
  ...pictureNames.map((name) => `/pictures/${name}.svg`),
]

type Losses = ReadonlyMap<Part, Answer>

/** The names of a record's fields and of those within it. */
const namesIn = ({ fields }: RecordType): string[] =>
  Object.entries(fields).flatMap(([name, { recordType, of }]) => {
    const within = recordType ?? of?.recordType
    return [name].concat(within === undefined ? [] : namesIn(within))
  })

/** Zones and pools count them: without some, theirs would be wrong. */
const counted: ReadonlySet<CollectionName> = new Set([
  'hosts',
  'switches',
  'gateways',
  'appliances',
  'patchPanels',
])

/** A world with fewer records, which is another truth. */
function withFewerRecords(random: SeededRandom, world: PlainWorld): PlainWorld {
  const name = random.pick(collectionNames.filter((one) => !counted.has(one)))
  const left = world.collections[name].filter(() => !random.oneIn(3))
  // The counts of its diagnostics would be those of all records.
  return { ...world, diagnostics: {}, collections: { ...world.collections, [name]: left } }
}

/** The same world, whose upstream does not tell some fields. */
function withGaps(random: SeededRandom, world: PlainWorld, told: string[]): PlainWorld {
  let changed = world
  for (let count = random.below(gapsMax); count > 0; count--) {
    const name = random.pick(collectionNames)
    const field = random.pick(namesIn(collections[name]))
    if (isKept(field)) continue
    const gap = random.oneIn(2) ? null : undefined
    told.push(`${name} with ${field} ${String(gap)}`)
    changed = withRecords(changed, [name], (record) =>
      mapped(collections[name], record, (_, value, at) => (at === field ? gap : value)),
    )
  }
  return changed
}

/** One list is always left. */
function drawLosses(random: SeededRandom, told: string[]): Losses {
  const losses = new Map<Part, Answer>()
  const left = random.pick(collectionNames.filter((name) => name !== 'patchPanels'))
  for (const part of listedParts) {
    if (part === left || !random.oneIn(4)) continue
    const [how, answer] = random.pick(absencesOf(part))
    losses.set(part, answer)
    told.push(`${part}: ${how}`)
  }
  return losses
}

/** A lost part has its last state, or that of some records, or is unknown. */
async function checkLost(origin: string, world: PlainWorld, part: WorldPart): Promise<string[]> {
  const { records, unknown } = await shownPart(origin, part)
  const expected = part === 'diagnostics' ? [world.diagnostics] : recordsOf(world, part)
  const wrong = records.find((record) => !expected.some((other) => isDeepStrictEqual(other, record)))
  if (wrong !== undefined) return [`${part} is lost, and has ${JSON.stringify(wrong).slice(0, 200)}`]
  const isSilent = records.length === 0 && expected.length > 0 && unknown === ''
  return isSilent && part !== 'patchPanels' ? [`${part} is lost, and no header says so`] : []
}

const recordsOf = (world: PlainWorld, part: CollectionName | 'events') =>
  part === 'events' ? world.events : world.collections[part]

async function checkParts(origin: string, world: PlainWorld, losses: Losses): Promise<string[]> {
  const failures: string[] = []
  for (const part of worldParts) {
    // Patch panels are known as far as cables name them.
    const isLost = losses.has(part) || part === 'patchPanels'
    failures.push(
      ...(await (isLost ? checkLost(origin, world, part) : checkPart(origin, world, part, false))),
    )
  }
  return failures
}

async function checkTexts(
  origin: string,
  random: SeededRandom,
  truth: Shown,
  observe: Observe,
): Promise<string[]> {
  const families = parseExposition(observe(await textOf(origin, '/metrics')))
  const failures = untrueSamples(families, truth, { isTimeless: true })
  for (let count = 0; count < textsAtOnce; count++) {
    const path = random.pick(texts)
    const { status } = await fetch(`${origin}${path}`)
    if (status !== 200) failures.push(`${path} has status ${status}`)
  }
  return failures
}

async function run(whole: PlainWorld, { random }: FuzzCase, observe: Observe): Promise<string[]> {
  const told: string[] = []
  const thinned = random.oneIn(2) ? withFewerRecords(random, whole) : whole
  const served = withGaps(random, thinned, told)
  const truth = await shownOf(thinned)
  let losses: Losses = random.oneIn(2) ? new Map() : drawLosses(random, told)
  const upstream = await SpecUpstream.start(served, (reply, request) => {
    const lost = [...losses].find(([part]) => isOf(part, targetOf(request)))
    return lost === undefined ? reply : lost[1](reply)
  })
  const attached = await attach(upstream.origin, { cadenceMs })
  const publishing = setInterval(() => upstream.publish(), cadenceMs)
  const after = (failures: readonly string[]): string[] =>
    failures.map((failure) => `${failure}\n  after ${told.join('; ')}`)
  try {
    if ((await publishesUntilReady(upstream, attached, publishesMax)) === null)
      return after([`not ready: ${attached.mirror.status.reason}`])
    for (let phases = 1 + random.below(phasesMax); phases >= 0; phases--) {
      let failures: string[] = []
      const isSettled = async (): Promise<boolean> => {
        failures = await checkParts(attached.origin, served, losses)
        return failures.length === 0
      }
      if (!(await comesTrue(isSettled, settledWithinMs))) return after(failures)
      const untrue = await checkTexts(attached.origin, random, truth, observe)
      if (untrue.length > 0) return after(untrue)
      told.push('then')
      losses = phases === 1 ? new Map() : drawLosses(random, told)
    }
    return []
  } finally {
    clearInterval(publishing)
    await attached.mirror.close()
    await upstream.close()
  }
}

export const openParts: OpenTarget = async (_seed, observe) => {
  const world = worldWithEveryCollection()
  return { lanes, run: (one) => run(world, one, observe), close: async () => {} }
}
