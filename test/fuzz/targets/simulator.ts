/** Runs of the mirror in simulated time, with faults of its network, threads and clients. */
import { drawPlan } from '../../simulator/plan.ts'
import { runPlan } from '../../simulator/run.ts'
import { planText, shrink } from '../../simulator/shrink.ts'
import type { OpenTarget } from '../target.ts'

export const openSimulator: OpenTarget = async (_seed, observe) => ({
  lanes: 1,
  async run({ random }) {
    const plan = drawPlan(random.below(2 ** 31))
    const { failure } = await runPlan(plan, observe)
    if (failure === null) return []
    const shortest = await shrink(plan, failure, async (one) => (await runPlan(one, observe)).failure)
    return [`${failure}\n${planText(shortest)}`]
  },
  close: async () => {},
})
