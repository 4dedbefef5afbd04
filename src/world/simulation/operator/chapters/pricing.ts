import { dayOfYear } from '../../time.ts'
import type { OperatorContext } from '../context.ts'
import { fillOfPools } from '../observation.ts'
import { unservedHosts } from '../plans/hosts.ts'
import { beginChapter } from './company.ts'

/** List prices follow demand and competition; customers follow the list when they renew. */

/** Days of the year on which prices are reviewed. */
const reviews = [46, 135, 227, 319] as const
const levelMin = 0.7
const levelMax = 1.35
const step = 0.04
/** Fill of the fullest and emptiest fleets that change prices. */
const fillMax = 0.66
const fillMin = 0.4
/** Margin, as a share of revenue, that attracts competitors. */
const marginMax = 0.5
const unservedHostsMin = 1

interface Market {
  readonly level: number
  readonly fill: number
  readonly unserved: number
  readonly margin: number
}

interface PriceChange {
  readonly share: number
  readonly reason: string
}

/** The change of list prices that the market calls for; null for none. */
export function priceChange({ level, fill, unserved, margin }: Market): PriceChange | null {
  const change = ((): PriceChange | null => {
    if (margin > marginMax) return { share: -step, reason: 'a competitor offers the same for less' }
    if (unserved >= unservedHostsMin && fill > fillMax)
      return { share: step, reason: 'demand for more hosts was turned away' }
    if (fill < fillMin) return { share: -step, reason: `pools are only ${Math.round(fill * 100)} % full` }
    return null
  })()
  if (change === null) return null
  const next = level * (1 + change.share)
  return next < levelMin || next > levelMax ? null : change
}

export function reviewPrices(context: OperatorContext): void {
  const ofYear = dayOfYear(context.world.now)
  if (!reviews.some((date) => date === ofYear)) return
  const { tariff, capacity, world } = context
  const { pools } = capacity
  const { revenuePerHour } = world.money
  const change = priceChange({
    level: tariff.level,
    fill: fillOfPools(capacity),
    unserved: pools.reduce((sum, _, pool) => sum + unservedHosts(context, pool), 0),
    margin: revenuePerHour > 0 ? context.state.marginPerHour / revenuePerHour : 0,
  })
  if (change === null) return
  tariff.changeList(change.share)
  const args = { percent: Math.round(Math.abs(change.share) * 100), reason: change.reason }
  beginChapter(context, change.share < 0 ? 'event.prices-lowered' : 'event.prices-lifted', args)
}
