/**
 * A game day as its debrief tells it: the truth beside the answers and orders of the team. Times are simulated seconds
 * since it began.
 */
import type { AnswerLine } from '../../contract/game-days/answer-line.ts'
import type { SessionAction, SessionOpening } from '../../contract/game-days/session-line.ts'
import type { TruthLine, TruthMoment } from '../../contract/game-days/truth-line.ts'
import { causeNames } from '../../contract/messages/incident-causes.ts'
import type { CauseKind } from '../../contract/vocabularies.ts'
import { listed } from '../../words/phrases.ts'
import { readingOf, sameName } from './readings.ts'
import type { TwinHarm } from './harm.ts'

/** A repair that the team ordered. */
export interface Order {
  readonly at: number
  readonly text: string
  readonly on: string
  readonly kinds: readonly CauseKind[]
}

/** An alert that began to fire, with the faults that it is rightly about. */
export interface FiredAlert {
  readonly name: string
  readonly severity: string
  readonly wall_s: number
  readonly faults: readonly number[]
}

export interface GameDayFiles {
  readonly opening: SessionOpening
  readonly faults: readonly TruthLine[]
  readonly actions: readonly SessionAction[]
  readonly answers: readonly AnswerLine[]
  readonly alerts: readonly FiredAlert[]
  /** The part and the kinds of faults that an ordered repair is for. */
  readonly orderOf: (line: string) => Pick<Order, 'on' | 'kinds'> | null
  /** Null if the worlds were not run again. */
  readonly harm: TwinHarm | null
  readonly title: string
  readonly until: TruthMoment
}

/** When something was said or done, and by whom. */
export interface Said {
  readonly at: number
  readonly by: string
}

export interface FaultStory {
  readonly number: number
  readonly fault: number
  readonly cause: string
  readonly name: string
  readonly place: string
  readonly from: number
  /** Null if it lasts. */
  readonly to: number | null
  readonly dollars: number
  readonly customers: readonly string[]
  /** Until the first incident, and its title. */
  readonly opened: number | null
  readonly symptom: string
  readonly alert: { readonly at: number; readonly name: string } | null
  readonly seen: Said | null
  readonly placed: Said | null
  readonly named: Said | null
  /** Of those that it hurt, the customers that were named. */
  readonly customersNamed: number
  /** The order that repaired it. */
  readonly order: Order | null
  /** Right orders, in time or too late. */
  readonly right: readonly Order[]
  readonly endedBy: 'the team' | 'itself' | 'operators' | null
  readonly hints: readonly { readonly at: number; readonly level: number }[]
}

interface LogEntry {
  readonly at: number
  readonly kind: 'truth' | 'symptom' | 'alert' | 'answer' | 'hint' | 'action'
  readonly text: string
  readonly by: string
}

export interface GameDay {
  readonly title: string
  readonly world: string
  readonly speed: number
  readonly beganSimSeconds: number
  readonly beganWallSeconds: number
  readonly lasts: number
  readonly faults: readonly FaultStory[]
  /** Faults that no customer felt and no incident shows. */
  readonly unfelt: number
  /** Faults that began too late for an answer. */
  readonly begunLate: number
  /** With the faults that they are about, and those of them that had ended long before. */
  readonly answers: readonly (Said & {
    readonly text: string
    readonly faults: readonly number[]
    readonly late: readonly number[]
    /** Whether it is about what broke before the session, or what no one felt. */
    readonly isOfOthers: boolean
  })[]
  /** Orders that repaired nothing that was broken. */
  readonly vain: readonly Order[]
  readonly harm: TwinHarm | null
  readonly log: readonly LogEntry[]
}

/** An answer may still be about a fault that ended so many seconds ago. */
const aftermathSeconds = 1_800

/** A fault that begins in these last seconds, or the last tenth of a short game day, is not missed. */
const lastSecondsMax = 600

interface MatchedAnswer extends Said {
  readonly text: string
  readonly late: ReturnType<typeof readingOf>
  readonly faults: ReturnType<typeof readingOf>
}

/** The team's part of a game day, on the clock of the session. */
interface TeamPart {
  readonly answers: readonly MatchedAnswer[]
  readonly hints: readonly { readonly at: number; readonly hint: NonNullable<AnswerLine['hint']> }[]
  readonly orders: readonly Order[]
  readonly clock: (wallSeconds: number) => number
}

export function gameDayOf(files: GameDayFiles): GameDay {
  const { opening, until, faults: all } = files
  const { began, speed, scale, seed } = opening.opened
  const own = all.filter(({ begin }) => begin.sim_s >= began.sim_s)
  const felt = own.filter(({ customers, incidents }) => customers.length > 0 || incidents.length > 0)
  const team = teamPartOf(files, felt)
  const lasts = until.sim_s - began.sim_s
  const inTimeMax = lasts - Math.min(lastSecondsMax, lasts / 10)
  const stories = felt
    .map((fault) => storyOf(fault, files, team))
    .filter(({ from, seen, hints }) => from < inTimeMax || seen !== null || hints.length > 0)
  const faults = together(stories, team)
  const repairing = new Set(faults.map(({ order }) => order))
  const others = all.filter((fault) => !felt.includes(fault) && (fault.end?.sim_s ?? Infinity) >= began.sim_s)
  // A drain that is ended is no fault of the truth.
  const isOfOthers = ({ on, kinds }: Order): boolean =>
    kinds.includes('HostDrained') ||
    others.some(({ kind, entity }) => kinds.includes(kind) && sameName(on, entity.name))
  const gameDay = {
    title: files.title,
    world: `${scale}, seed ${seed}`,
    speed,
    beganSimSeconds: began.sim_s,
    beganWallSeconds: began.wall_s,
    lasts,
    faults,
    unfelt: own.length - felt.length,
    begunLate: felt.length - stories.length,
    answers: team.answers.map(({ at, by, text, faults: read, late }) => {
      const numbersOf = (found: MatchedAnswer['faults']): number[] =>
        faults.filter(({ fault }) => found.some((one) => one.fault === fault)).map(({ number }) => number)
      const isOther = readingOf(text, others.filter(isCurrent(began.sim_s + at))).length > 0
      return { at, by, text, faults: numbersOf(read), late: numbersOf(late), isOfOthers: isOther }
    }),
    vain: team.orders.filter((order) => !repairing.has(order) && !isOfOthers(order)),
    harm: files.harm,
  }
  return { ...gameDay, log: logOf(gameDay, files, team.clock) }
}

function teamPartOf(files: GameDayFiles, felt: readonly TruthLine[]): TeamPart {
  const { opening, until, answers, actions, orderOf } = files
  const { began } = opening.opened
  const clock = sessionClock(files)
  const lines = answers.filter(({ wall_s: at }) => at >= began.wall_s && at <= until.wall_s)
  return {
    clock,
    answers: lines
      .filter(({ hint }) => hint === null)
      .map(({ wall_s: wall, by, text }) => {
        const at = clock(wall)
        const reading = readingOf(text, felt.filter(isCurrent(began.sim_s + at)))
        const past = felt.filter(({ end }) => end !== null && end.sim_s < began.sim_s + at)
        return { at, by, text, faults: reading, late: reading.length > 0 ? [] : readingOf(text, past) }
      }),
    hints: lines.flatMap(({ wall_s: wall, hint }) => (hint === null ? [] : [{ at: clock(wall), hint }])),
    orders: actions.flatMap(({ did, at, text, line }): Order[] => {
      const order = did === 'ordered' ? orderOf(line) : null
      return order === null
        ? []
        : [{ at: at.sim_s - began.sim_s, text: text.replace(/^ordered: /, ''), ...order }]
    }),
  }
}

/** From as many on, alike faults that the team left alone are one row: they are weather rather than faults. */
const alikeMin = 4

/** Numbers the stories. Alike faults about which nothing was said or done become one. */
function together(stories: readonly Unnumbered[], { answers }: TeamPart): FaultStory[] {
  const late = new Set(answers.flatMap((answer) => answer.late.map(({ fault }) => fault)))
  const isLeft = ({ seen, hints, fault }: Unnumbered): boolean =>
    seen === null && hints.length === 0 && !late.has(fault)
  const alike = Map.groupBy(stories.filter(isLeft), ({ cause }) => cause)
  const rows = stories.flatMap((story): Unnumbered[] => {
    const group = alike.get(story.cause) ?? []
    if (group.length < alikeMin || !group.includes(story)) return [story]
    if (group[0] !== story) return []
    const all: Unnumbered = {
      ...story,
      name: listed(group.map(({ name }) => name)),
      place: `${group.length} of them`,
      to: group.some(({ to }) => to === null) ? null : Math.max(...group.map(({ to }) => to!)),
      // Faults of the same time share it.
      dollars: Math.max(...group.map(({ dollars }) => dollars)),
      customers: [...new Set(group.flatMap(({ customers }) => customers))],
    }
    return [all]
  })
  return rows.map((story, index) => Object.assign({ number: index + 1 }, story))
}

type Unnumbered = Omit<FaultStory, 'number'>

function storyOf(fault: TruthLine, files: GameDayFiles, team: TeamPart): Unnumbered {
  const { began } = files.opening.opened
  const from = fault.begin.sim_s - began.sim_s
  const to = fault.end === null ? null : fault.end.sim_s - began.sim_s
  const about = team.answers.flatMap(({ faults: read, at, by }) =>
    read
      .filter((one) => one.fault === fault.fault)
      .map(({ isPlaced, isNamed, customers }) => ({ at, by, isPlaced, isNamed, customers })),
  )
  const there = team.orders.filter(
    ({ on, at }) => sameName(on, fault.entity.name) && at >= from && at <= (to ?? Infinity),
  )
  const right = there.filter(({ kinds }) => kinds.includes(fault.kind))
  const order = fault.ended_by === 'repair' ? (right[0] ?? null) : null
  const first = (said: readonly Said[], done: readonly Order[]): Said | null =>
    [...said, ...done.map(({ at }) => ({ at, by: '' }))].toSorted((a, b) => a.at - b.at)[0] ?? null
  const placed = first(
    about.filter(({ isPlaced }) => isPlaced),
    there,
  )
  const named = first(
    about.filter(({ isNamed }) => isNamed),
    right,
  )
  // An incident of another fault, which was open already, may show this one as well.
  const opened = fault.incidents.toSorted((a, b) => a.opened_after_s - b.opened_after_s)
  const incident = opened.find(({ opened_after_s: after }) => after >= 0) ?? opened[0]
  const alert = files.alerts
    .filter((one) => one.faults.includes(fault.fault))
    .toSorted((a, b) => a.wall_s - b.wall_s)[0]
  return {
    fault: fault.fault,
    cause: causeNames[fault.kind],
    name: fault.entity.name,
    place: fault.entity.place,
    from,
    to,
    dollars: fault.revenue_hurt_dollars,
    customers: fault.customers.map(({ name }) => name),
    opened: incident === undefined ? null : from + Math.max(0, incident.opened_after_s),
    symptom: incident === undefined || incident.opened_after_s < 0 ? '' : incident.symptom,
    alert: alert === undefined ? null : { at: team.clock(alert.wall_s), name: alert.name },
    seen: first(about, there),
    placed,
    named: placed === null || named === null ? null : { at: Math.max(placed.at, named.at), by: named.by },
    customersNamed: new Set(about.flatMap(({ customers }) => customers)).size,
    order,
    right,
    endedBy: endOf(fault, order),
    hints: team.hints.flatMap(({ at, hint }) =>
      hint.fault === fault.fault && hint.world === fault.world ? [{ at, level: hint.level }] : [],
    ),
  }
}

function endOf({ ended_by: by }: TruthLine, order: Order | null): FaultStory['endedBy'] {
  if (by !== 'repair') return by
  return order === null ? 'operators' : 'the team'
}

const isCurrent =
  (simSeconds: number) =>
  ({ begin, end }: TruthLine): boolean =>
    simSeconds >= begin.sim_s && simSeconds <= (end?.sim_s ?? Infinity) + aftermathSeconds

/** Seconds of the session at a wall time: between moments of which both are known, the world runs at its speed. */
function sessionClock({ opening, faults, actions, until }: GameDayFiles): (wallSeconds: number) => number {
  const { began, speed } = opening.opened
  const known = [
    began,
    until,
    ...actions.map(({ at }) => at),
    ...faults.flatMap(({ begin, end }) => [begin, end]),
  ]
    .filter((moment) => moment !== null && moment.wall_s >= began.wall_s)
    .toSorted((a, b) => a!.wall_s - b!.wall_s) as TruthMoment[]
  return (wallSeconds) => {
    const before = known.findLast(({ wall_s: at }) => at <= wallSeconds) ?? began
    const after = known.find(({ wall_s: at }) => at > wallSeconds)
    const at = before.sim_s + (wallSeconds - before.wall_s) * speed
    return Math.max(0, Math.min(at, after?.sim_s ?? Infinity) - began.sim_s)
  }
}

/** Alerts about faults, alike ones of one second in one line. */
function alertEntries(alerts: readonly FiredAlert[]): { readonly at: number; readonly text: string }[] {
  const own = alerts.filter(({ faults }) => faults.length > 0)
  const alike = Map.groupBy(own, ({ name, severity, wall_s }) => `${name} (${severity}) ${wall_s}`)
  return [...alike.values()].map(([{ name, severity, wall_s: at }, ...more]) => ({
    at,
    text: `${name} (${severity})${more.length === 0 ? '' : `, ${more.length + 1} times`}`,
  }))
}

function logOf(
  { faults, answers }: Omit<GameDay, 'log'>,
  { opening, actions, alerts, answers: lines }: GameDayFiles,
  clock: (wallSeconds: number) => number,
): LogEntry[] {
  const entry = (at: number | null, kind: LogEntry['kind'], text: string, by = ''): LogEntry[] =>
    at === null || text === '' ? [] : [{ at, kind, text, by }]
  const named = ({ number, cause, name }: FaultStory): string => `Fault ${number}, ${cause} at ${name},`
  return [
    ...faults.flatMap((fault) => [
      ...entry(fault.from, 'truth', `${named(fault)} begins.`),
      ...entry(
        fault.to,
        'truth',
        `${named(fault)} ends${fault.endedBy === null ? '' : `, by ${fault.endedBy}`}.`,
      ),
      ...entry(fault.opened, 'symptom', fault.symptom),
    ]),
    ...alertEntries(alerts).flatMap(({ at, text }) => entry(clock(at), 'alert', text)),
    ...answers.flatMap(({ at, text, by }) => entry(at, 'answer', text, by)),
    ...lines.flatMap(({ wall_s: at, text, by, hint }) =>
      hint === null ? [] : entry(clock(at), 'hint', text, by),
    ),
    ...actions.flatMap(({ at, did, text }) =>
      entry(at.sim_s - opening.opened.began.sim_s, did === 'ordered' ? 'action' : 'truth', capitalized(text)),
    ),
  ].toSorted((a, b) => a.at - b.at)
}

const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
