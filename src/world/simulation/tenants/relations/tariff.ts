import type { TenantContext } from '../context.ts'
import type { Micros } from '../../time.ts'

/** The prices of the company. */
export interface Tariff {
  /** List prices relative to those of the beginning. New and renewed contracts follow them. */
  readonly level: number
  /** Changes list prices by a share. */
  changeList(share: number): void
  /** Raises the prices of all customers, and the list, by a share. */
  raiseAll(share: number): void
  /** Makes the company known for some time: more prospects come. */
  promote(span: Micros): void
}

export function createTariff({ world, state }: TenantContext): Tariff {
  return {
    get level() {
      return state.tariff.level
    },
    promote(span) {
      state.tariff.promotedUntil = world.now + span
    },
    changeList(share) {
      state.tariff.level *= 1 + share
    },
    raiseAll(share) {
      state.tariff.level *= 1 + share
      for (const account of state.accounts) {
        for (const service of account.services) state.services.unitMicroPerMinute[service] *= 1 + share
        account.priceLevel *= 1 + share
        account.priceRise += share
      }
    },
  }
}
