import type { Simulation } from '../../../src/world/records/simulation.ts'

const healthy = {
  requested: 4,
  placed: 4,
  serving: 4,
  stranded: 0,
  contention: 0.1,
  load: 0.5,
  successRatio: 1,
  spreadKept: 1,
  replicasHeld: 3,
  failoverUntil: -1,
  unplacedReason: null,
}

/** Makes a service of the first customer healthy but for the given columns. */
export function giveService({ customers }: Simulation, nth: number, columns: object, account: object): void {
  const { services, accounts } = customers.state
  Object.assign(accounts[0], { live: true, breached: false, attackClass: null }, account)
  for (const [name, value] of Object.entries({ ...healthy, ...columns }))
    (services as unknown as Record<string, unknown[]>)[name][accounts[0].services[nth]] = value
}
