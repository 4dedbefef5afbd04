/** What a subject measured, and what is asked of it. */
export interface Finding {
  readonly measured: string
  readonly against: string
  /** What it comes down to: how many times as fast, as large, or a plain amount. */
  readonly value: number
  readonly unit: string
  readonly better: 'higher' | 'lower'
  /** Beyond this the bench fails. */
  readonly floor: number
  readonly aim: number
  /** The medians behind the value, for people. */
  readonly medians: string
}

export interface Subject {
  readonly name: string
  /** Measures; `progress` is told what is being done. */
  readonly measure: (progress: (what: string) => void) => Promise<Finding>
}

/** Medians are taken over at least this many rounds. */
export const roundsMin = 11

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6

export interface Contender {
  /** Brings things into the state that is measured; not timed. */
  readonly prepare?: (round: number) => void | Promise<void>
  /** One round. Returns its milliseconds where it has a better idea of them than the time it took. */
  readonly run: (round: number) => void | number | Promise<void | number>
}

async function runOnce({ prepare, run }: Contender, round: number): Promise<number> {
  await prepare?.(round)
  const beganMs = nowMs()
  const told = await run(round)
  return told ?? nowMs() - beganMs
}

/**
 * Lets contenders take turns, round after round, so that other load on the machine affects them alike.
 * Returns the median milliseconds of each. The warm-up rounds do not count.
 */
export async function takeTurns<K extends string>(
  contenders: Readonly<Record<K, Contender>>,
  { rounds = 21, warmUps = 10 } = {},
): Promise<Record<K, number>> {
  if (rounds < roundsMin)
    throw new RangeError(`${rounds} rounds are too few: expected at least ${roundsMin}.`)
  const entries = Object.entries<Contender>(contenders)
  const times = new Map<string, number[]>(entries.map(([name]) => [name, []]))
  for (let round = 0; round < warmUps + rounds; round++) {
    // Once only: a collection before every round would leave nothing in the processor's caches.
    if (round === warmUps) globalThis.gc?.()
    for (const [name, contender] of entries) {
      const ms = await runOnce(contender, round)
      if (round >= warmUps) times.get(name)!.push(ms)
    }
  }
  return Object.fromEntries(entries.map(([name]) => [name, median(times.get(name)!)])) as Record<K, number>
}

export const isMet = ({ value, better, floor }: Finding): boolean =>
  better === 'higher' ? value >= floor : value <= floor

const digits = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** A table of findings for people. */
export function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => [
    isMet(finding) ? 'ok' : 'FAILS',
    finding.measured,
    finding.against,
    `${digits(finding.value)} ${finding.unit}`,
    `${finding.better === 'higher' ? '≥' : '≤'} ${finding.floor}`,
    `${finding.aim}`,
    finding.medians,
  ])
  const all = [['', 'what', 'against', 'value', 'floor', 'aim', 'medians'], ...rows]
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
