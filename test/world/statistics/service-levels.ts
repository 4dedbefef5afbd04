import { slaTerms } from '../../../src/contract/sla.ts'
import type { Account } from '../../../src/world/simulation/tenants/account.ts'

/** Days of customers, and those on which requests failed no more often than their plan allows. */
export interface ServiceLevelFigures {
  readonly customerDays: number
  readonly customerDaysWithin: number
}

type Requests = Pick<Account, 'totalRequests' | 'failedRequests'>

export class ServiceLevels {
  readonly #accounts: readonly Account[]
  readonly #yesterday = new Map<number, Requests>()
  readonly #figures = { customerDays: 0, customerDaysWithin: 0 }

  constructor(accounts: readonly Account[]) {
    this.#accounts = accounts
  }

  /** Once a day. */
  look(): void {
    for (const { id, tier, totalRequests, failedRequests } of this.#accounts) {
      const before = this.#yesterday.get(id) ?? { totalRequests: 0, failedRequests: 0 }
      this.#yesterday.set(id, { totalRequests, failedRequests })
      const requests = totalRequests - before.totalRequests
      if (requests === 0) continue
      const failed = (failedRequests - before.failedRequests) / requests
      this.#figures.customerDays++
      if (failed <= 1 - slaTerms[tier].availability) this.#figures.customerDaysWithin++
    }
  }

  figures(): ServiceLevelFigures {
    return this.#figures
  }
}
