import { day } from '../time.ts'
import { occasionBeginning } from './demand/calendar.ts'
import { isDue, schedule, turnOf } from '../schedule.ts'
import type { WorldWith } from '../state.ts'
import type { Account } from './account.ts'
import type { AccountingState } from './billing/accounting-state.ts'
import type { Accounting } from './billing/accounting.ts'
import { createAccounting } from './billing/accounting.ts'
import type { Money } from './billing/money.ts'
import { settleSlaCredits } from './billing/sla-credits.ts'
import type { TenantContext } from './context.ts'
import { createTenantContext } from './context.ts'
import { stepDemand } from './demand/demand.ts'
import { updateUnmetRequirements } from './demand/requirements.ts'
import type { HostLoad } from './host-load.ts'
import { createContractFactory } from './lifecycle/contracts.ts'
import { createLifecycle } from './lifecycle/lifecycle.ts'
import { seedCustomers } from './lifecycle/population.ts'
import { createProspects } from './lifecycle/prospects.ts'
import { decayUnservedDemand } from './lifecycle/unserved-demand.ts'
import { createFleet } from './placement/fleet.ts'
import { createHostLists } from './placement/host-lists.ts'
import { createPlacer } from './placement/placement.ts'
import { updateZonePeaks } from './placement/network-room.ts'
import { stepQuality } from './quality/quality.ts'
import { updateSatisfaction } from './quality/satisfaction.ts'
import { countLatency } from './quality/sla.ts'
import { opinionOfCustomers, updateReputation } from './relations/reputation.ts'
import type { Tariff } from './relations/tariff.ts'
import { createTariff } from './relations/tariff.ts'
import type { TenantsState } from './state.ts'
import { createTenantsState } from './state.ts'
import type { Tenants } from './tenant.ts'

/** Customers: their demand, placement, quality of service, and revenue. */
export interface TenantsPart {
  readonly state: TenantsState
  readonly view: Tenants
  readonly tariff: Tariff
  readonly accounting: { readonly dayRow: number } & Pick<AccountingState, 'totals' | 'costs'>
  /** Runs before attacks and flows: placement, and the demand on hosts. */
  stepDemand(): void
  /** Runs after flows. */
  stepQuality(): void
  stepMoney(): void
  /** Lets customers and prospects join and leave. */
  stepLifecycle(): void
}

type TenantsWorld = WorldWith<{ load: HostLoad; money: Money }>

export function createTenants(world: TenantsWorld, populated: boolean): TenantsPart {
  const state = createTenantsState(world.topology, world.load, world.money)
  const context = createTenantContext(world, state)
  const placer = createPlacer(context)
  const fleet = createFleet(context, placer)
  const accounting = createAccounting(context)
  const contracts = createContractFactory(world.topology, state.takenNames)
  if (populated) seedCustomers(context, contracts, placer, fleet)
  state.reputation.value = opinionOfCustomers(state)
  const prospects = createProspects(context, contracts, placer)
  const lifecycle = createLifecycle(context, placer, fleet, accounting)
  const hostLists = createHostLists(state)
  const onTurn = createTurns(state)
  hostLists.update()
  return {
    state,
    accounting,
    tariff: createTariff(context),
    view: {
      get active() {
        return state.accounts
      },
      get byId() {
        return state.byId
      },
      unservedDemand: state.unservedDemand,
      get reputation() {
        return state.reputation.value
      },
      get version() {
        return state.version
      },
      get qualityVersion() {
        return state.quality.version
      },
      onHost: (host) => hostLists.onHost(host),
      goLive(customerId) {
        const account = state.byId.get(customerId)
        if (account !== undefined) lifecycle.goLive(account)
      },
    },
    stepDemand() {
      announceOccasion(world)
      fleet.step()
      const changed = fleet.takeServingChanged()
      if (changed) hostLists.update()
      stepDemand(context, changed)
      updateZonePeaks(context)
    },
    stepQuality: () => stepQuality(context),
    stepMoney: () => stepMoney(context, accounting, onTurn(world.tick)),
    stepLifecycle() {
      for (const account of onTurn(world.tick)) {
        if (account.live) updateSatisfaction(context, account)
        updateUnmetRequirements(context, account)
        lifecycle.stepTurn(account)
        account.turnTotal = 0
        account.turnFailed = 0
      }
      decayUnservedDemand(context)
      updateReputation(context)
      prospects.step((prospect) => lifecycle.sign(prospect))
      fleet.recount()
      hostLists.update()
    },
  }
}

function stepMoney(context: TenantContext, accounting: Accounting, accounts: readonly Account[]): void {
  const { world } = context
  if (world.tick === 0) accounting.begin()
  for (const account of accounts) {
    accounting.bookAccount(account)
    if (!account.live) continue
    countLatency(account)
    settleSlaCredits(context, accounting, account)
  }
  if (isDue(schedule.accounting, world.tick)) accounting.closeTurn()
}

/** The customers whose turn it is in a step. */
function createTurns(state: TenantsState): (tick: number) => readonly Account[] {
  let accounts: readonly Account[] = []
  let turns: (readonly Account[])[] = []
  return (tick) => {
    if (accounts !== state.accounts) {
      accounts = state.accounts
      turns = []
    }
    const turn = turnOf(tick)
    return (turns[turn] ??= accounts.filter(({ id }) => turnOf(id) === turn))
  }
}

function announceOccasion({ now, events }: TenantsWorld): void {
  const occasion = now % day === 0 ? occasionBeginning(now) : null
  if (occasion === null) return
  events.emit(now, 'DemandChanged', 'Info', { kind: 'World', id: null }, 'event.occasion', { occasion })
}
