/** The files of a game day, damaged and edited: each becomes a page in which its texts are text, or one sentence. */
import { readAnswers } from '../../../src/contract/game-days/answer-line.ts'
import { readSessionLines } from '../../../src/contract/game-days/session-line.ts'
import { readTruth } from '../../../src/contract/game-days/truth-line.ts'
import { debriefPages } from '../../../src/practice/commands/game-days/debrief.ts'
import type { SessionTruth } from '../../../src/practice/commands/game-days/read-session.ts'
import { runTwins } from '../../../src/practice/commands/game-days/twin-runs.ts'
import { OptionError } from '../../../src/options/parse-options.ts'
import type { SeededRandom } from '../../fixtures/seeded-random.ts'
import { damages } from '../damaged-bytes.ts'
import type { Observe, OpenTarget } from '../target.ts'

/** The interval of cases in which the world of the session is run again, if it is small and young. */
const twinsEvery = 40
const twinSecondsMax = 7_200

const began = { sim_s: 600, wall_s: 1_800_000_000 }
const moment = (seconds: number) => ({ sim_s: 600 + 60 * seconds, wall_s: began.wall_s + seconds })

const opened = {
  world: 'w',
  opened: { seed: '1', scale: 6, speed: 60, warmup_s: 600, scenario: '', blind: true, began },
}
const ordered = {
  world: 'w',
  did: 'ordered',
  at: moment(20),
  text: 'ordered: replace disk h1',
  line: '{"order":"replace disk","on":"h1"}',
}
const injected = {
  world: 'w',
  did: 'injected',
  at: moment(1),
  text: 'injected',
  line: '{"do":"HostFailure","target":{"kind":"Host","id":1}}',
}
const closed = { world: 'w', closed: moment(50) }

const fault = {
  world: 'w',
  session: { began, ended: null },
  fault: 1,
  kind: 'DiskFailure',
  origin: 'injected',
  entity: { kind: 'Host', id: 1, name: 'h1', place: 'rack A-01 in Tallisford A' },
  magnitude: 1,
  begin: moment(2),
  end: moment(30),
  ended_by: 'repair',
  touched: { host: ['1'] },
  incidents: [
    {
      id: 12,
      symptom: 'Host h1 is slow.',
      bands: ['Major'],
      opened_after_s: 60,
      confirmed_after_s: null,
      resolved_after_s: 1_500,
    },
  ],
  alerts: [{ alert: 'DiskBroken', labels: { host: '1' } }],
  customers: [{ id: 1, name: 'Clover Vale Streaming' }],
  revenue_hurt_dollars: 40,
  noticed_after_s: 60,
  confirmed_after_s: null,
  repaired_after_s: 1_680,
}
const answer = { wall_s: moment(10).wall_s, by: 'ann', text: 'incident 12 at h1', hint: null }
const hint = { ...answer, text: 'Hint 1', hint: { world: 'w', fault: 1, level: 1 } }

/** No element or attribute of a page has this name. */
const mark = 'zzq'
const hostile: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  1e-300,
  1e308,
  2 ** 53,
  '',
  '1',
  `<${mark} onload=1>`,
  `"><${mark}>`,
  `' ${mark}='1`,
  `</style></title><${mark}>`,
  `&lt;${mark}>`,
  `x\n# ${mark}\n\n<${mark}>`,
  '\u0000\u2028\u202e\ud800',
  'x'.repeat(20_000),
  '__proto__',
  [],
  [[[]]],
  {},
  { kind: null },
]

/** Replaces, adds or removes a member at a random depth. */
function edited(random: SeededRandom, value: unknown): unknown {
  const alike = hostile.filter((one) => typeof one === typeof value)
  if (typeof value !== 'object' || value === null) return random.pick(random.oneIn(6) ? hostile : alike)
  if (random.oneIn(40)) return random.pick(hostile)
  const keys = Object.keys(value)
  if (keys.length === 0) return random.pick(hostile)
  const key = random.pick(keys)
  const copy = structuredClone(value) as Record<string, unknown>
  if (random.oneIn(40)) delete copy[key]
  else copy[key] = edited(random, copy[key])
  return copy
}

function fileOf(random: SeededRandom, lines: readonly object[]): string {
  const changed = lines.map((line) => {
    let value: unknown = line
    while (random.oneIn(3)) value = edited(random, value)
    return JSON.stringify(value)
  })
  const text = changed.join('\n')
  return random.oneIn(40) ? random.pick(damages).apply(random, Buffer.from(text)).toString() : text
}

const pageElements = new Set(
  'html head meta title style body header h1 h2 p br section div span b figure table thead tbody tr th td small ul li time i'.split(
    ' ',
  ),
)
const pictureElements = new Set('svg title desc defs g path rect line text tspan circle polygon'.split(' '))

function pageFaults({ html, md }: ReturnType<typeof debriefPages>): string[] {
  const names = Array.from(html.matchAll(/<\/?([a-z][^\s/>]*)/gi), ([, name]) => name)
  const foreign = names.find((name) => !pageElements.has(name) && !pictureElements.has(name))
  // Quoted values may contain a right angle bracket.
  const tags = html.match(/<(?:[^<>"']|"[^"]*"|'[^']*')*>/g) ?? []
  const marked = tags.find((tag) => tag.replaceAll(/"[^"]*"|'[^']*'/g, '').includes(mark))
  return [
    ...(foreign === undefined ? [] : [`the page has an element ${foreign.slice(0, 40)}`]),
    ...(marked === undefined ? [] : [`the page has an attribute of a file: ${marked.slice(0, 80)}`]),
    ...(/undefined|NaN|\[object/.test(html) ? ['the page says undefined, NaN or [object'] : []),
    ...(/(?<!\\)<zzq|^\\?# zzq/m.test(md) ? ['the Markdown has markup of a file'] : []),
  ]
}

/** A world of an hour or two. */
const isBrief = ({ opening: { opened: by }, closed: end }: SessionTruth): boolean =>
  Number(by.scale) <= 6 && by.began.sim_s <= twinSecondsMax && end !== null && end.sim_s <= twinSecondsMax

function outcomeOf(texts: readonly [truth: string, session: string, answers: string], withTwins: boolean) {
  const [faults, record, answers] = [readTruth(texts[0]), readSessionLines(texts[1]), readAnswers(texts[2])]
  for (const read of [faults, record, answers]) if (typeof read === 'string') return read
  if (record === null) return 'no session'
  const session = { ...(record as SessionTruth), faults: faults as SessionTruth['faults'] }
  const until = session.closed ?? moment(60)
  const twins = { ...session, scenario: null, untilSimSeconds: until.sim_s, onProgress: () => {} }
  const harm = withTwins && isBrief(session) ? runTwins(twins) : null
  return debriefPages(session, {
    answers: answers as Exclude<typeof answers, string>,
    alerts: [],
    harm,
    until,
  })
}

function caseFaults(random: SeededRandom, number: number, observe: Observe): string[] {
  const texts = [
    fileOf(random, [fault, { ...fault, fault: 2, end: null, ended_by: null }]),
    fileOf(random, [opened, injected, ordered, closed]),
    fileOf(random, [answer, hint]),
  ] as const
  try {
    const outcome = outcomeOf(texts, number % twinsEvery === 0)
    return typeof outcome === 'string'
      ? outcome.length > 300
        ? [`a long sentence: ${outcome.slice(0, 300)}`]
        : []
      : pageFaults({ html: observe(outcome.html), md: outcome.md })
  } catch (error) {
    if (error instanceof OptionError) return []
    return [`${(error as Error).stack?.slice(0, 400)} for ${texts.join(' | ').slice(0, 2_000)}`]
  }
}

export const openDebrief: OpenTarget = async (_seed, observe) => ({
  lanes: 1,
  run: ({ number, random }) => caseFaults(random, number, observe),
  close: async () => {},
})
