import type { Action, Plan } from './plan.ts'

/** Bounds the time that a failure costs. */
const runsMax = 60

/** The plan of the simplest machine. */
const plainest = {
  isArchived: false,
  isKept: false,
  portMs: 0,
  latencyMs: 1,
  stepMs: 0,
  warmUpStories: 0,
  warmUpSteps: 0,
  earlierEvents: 0,
} satisfies Partial<Plan>

/** Failures of one kind differ in their numbers. */
const kindOf = (failure: string | null): string | null => failure?.replaceAll(/\d+/g, 'N') ?? null

/** The shortest plan that is found to fail as a plan does. */
export async function shrink(
  plan: Plan,
  failure: string,
  run: (plan: Plan) => Promise<string | null>,
): Promise<Plan> {
  let [best, runs] = [plan, 0]
  const isAsBad = async (given: Partial<Plan>): Promise<boolean> => {
    if (runs++ >= runsMax) return false
    const candidate = { ...best, ...given }
    if (kindOf(await run(candidate)) !== kindOf(failure)) return false
    best = candidate
    return true
  }
  for (let size = plan.actions.length; size > 0; size = size >> 1)
    for (let at = 0; at < best.actions.length; )
      if (!(await isAsBad({ actions: best.actions.toSpliced(at, size) }))) at += size
  for (const [name, value] of Object.entries(plainest))
    if (best[name as keyof Plan] !== value) await isAsBad({ [name]: value })
  return best
}

const actionText = ({ kind, atMs, lastsMs, size }: Action): string =>
  `  at ${atMs} ms ${kind} for ${lastsMs} ms, ${size.toFixed(2)}`

/** A plan as text. */
export function planText({ actions, ...settings }: Plan): string {
  const given = Object.entries(settings).map(([name, value]) => `${name} ${value}`)
  return [`  ${given.join(', ')}`, ...actions.map(actionText)].join('\n')
}
