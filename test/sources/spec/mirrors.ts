import { setTimeout as pause } from 'node:timers/promises'
import { attach, healthOf } from '../attached/attached-mirror.ts'
import type { Attached } from '../attached/attached-mirror.ts'
import { FakeUpstream } from '../attached/fake-upstream.ts'
import { publishOf } from './plain-world.ts'
import type { PlainWorld } from './plain-world.ts'
import { shownAt } from './shown.ts'
import type { Shown } from './shown.ts'
import type { SpecUpstream } from './spec-upstream.ts'

export const cadenceMs = 50
const publishWaitMs = 30_000

/** Whether a condition comes true in time. */
export async function comesTrue(isSo: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const endMs = performance.now() + withinMs
  while (performance.now() < endMs) {
    if (await isSo()) return true
    await pause(10)
  }
  return false
}

const isReady = async (origin: string): Promise<boolean> => (await healthOf(origin)).status === 'ok'

/** Publishes until the mirror shows the world; null if that takes more publishes than allowed. */
export async function publishesUntilReady(
  upstream: SpecUpstream,
  { origin }: Attached,
  publishesMax: number,
): Promise<number | null> {
  for (let publishes = 1; publishes <= publishesMax; publishes++) {
    if (publishes > 1) upstream.publish()
    if (await comesTrue(() => isReady(origin), publishWaitMs)) return publishes
  }
  return null
}

/** The series and tables of a mirror whose upstream serves every route and field. */
export async function shownOf(world: PlainWorld): Promise<Shown> {
  const whole = await FakeUpstream.start(publishOf(world, 1))
  const attached = await attach(whole.origin, { cadenceMs })
  if (!(await comesTrue(() => isReady(attached.origin), publishWaitMs)))
    throw new Error(`A whole upstream is not shown: ${attached.mirror.status.reason}`)
  const shown = await shownAt(attached.origin)
  await attached.mirror.close()
  await whole.close()
  return shown
}
