/**
 * Groups of families that are enabled and disabled together, each with its cost in samples per zone, host, port and so
 * on.
 */
export const collectors = {
  clock: { byDefault: true, subject: 'simulated time, speed, the publishing of snapshots' },
  fleet: { byDefault: true, subject: 'how many there are of everything' },
  azs: { byDefault: true, subject: 'zones, their power feeds, cooling units' },
  racks: { byDefault: true, subject: 'racks' },
  pools: { byDefault: true, subject: 'host pools' },
  hosts: { byDefault: true, subject: 'hosts: state, load, capacity, traffic, wear' },
  switches: { byDefault: true, subject: 'switches' },
  gateways: { byDefault: true, subject: 'gateways and their add-ons' },
  appliances: { byDefault: true, subject: 'network appliances' },
  threats: { byDefault: true, subject: 'hostile traffic by class, at gateways and appliances' },
  links: { byDefault: true, subject: 'cables between network devices' },
  ports: { byDefault: false, subject: 'every port of every device' },
  segments: { byDefault: true, subject: 'segments' },
  customers: { byDefault: true, subject: 'customers' },
  services: { byDefault: true, subject: 'the services that customers run' },
  money: { byDefault: true, subject: 'revenue, cost, margins, credits' },
  prospects: { byDefault: true, subject: 'prospects' },
  incidents: { byDefault: true, subject: 'incidents, one by one and in sum' },
  events: { byDefault: true, subject: 'events by kind and severity' },
  work: { byDefault: true, subject: 'work orders' },
  quests: { byDefault: true, subject: 'quests' },
} as const satisfies Record<string, { readonly byDefault: boolean; readonly subject: string }>

export type CollectorName = keyof typeof collectors
export const collectorNames = Object.keys(collectors) as CollectorName[]
export const defaultCollectors: readonly CollectorName[] = collectorNames.filter(
  (name) => collectors[name].byDefault,
)

/**
 * Parses a choice such as `hosts,incidents` (only these), `+ports` (also these) or `-customers` (all but these). The
 * forms can be mixed: signs change the default set, plain names replace it. Returns an error message as a string.
 */
export function chooseCollectors(choice: string): readonly CollectorName[] | string {
  const words = choice.trim() === '' ? [] : choice.split(',').map((word) => word.trim())
  if (words.includes(''))
    return `got ${JSON.stringify(choice)}, expected names of collectors, separated by single commas`
  const signed = words.filter((word) => /^[+-]/.test(word))
  const chosen = new Set<string>(signed.length === words.length ? defaultCollectors : [])
  for (const word of words) {
    const name = word.replace(/^[+-]/, '')
    if (!Object.hasOwn(collectors, name)) {
      return `there is no collector ${JSON.stringify(name)}; there are ${collectorNames.join(', ')}`
    }
    if (word.startsWith('-')) chosen.delete(name)
    else chosen.add(name)
  }
  return collectorNames.filter((name) => chosen.has(name))
}
