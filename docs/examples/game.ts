/**
 * A small living world for dcsim-mirror, without dependencies: a template for a game or a mod.
 *
 *   node game.ts 9741          serves it at http://127.0.0.1:9741
 *   node game.ts world.json    writes it into a file, once a second
 */
import { renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const hour = 3_600
const speed = 60 // simulated seconds per second
const rackIds = [1, 2, 3]
const hostsPerRack = 6
const hostIds = Array.from({ length: rackIds.length * hostsPerRack }, (_, index) => index + 1)
const names = [
  'Acorn Bakery',
  'Bluebell Books',
  'Copper Kettle',
  'Dormouse Games',
  'Elder Law',
  'Fern Clinic',
]
const startedMs = performance.now()

const ns = (seconds: number): number => seconds * 1_000_000_000
const rackOf = (host: number): number => Math.ceil(host / hostsPerRack)

/** Every two hours something breaks for one: a whole rack, and the next time a single host. */
function incident(number: number) {
  const rack = rackIds[number % rackIds.length]
  const hosts = hostIds.filter((host) => rackOf(host) === rack)
  const isRack = number % 2 === 0
  return {
    id: number,
    band: isRack ? 'Critical' : 'Minor', // Watch, Minor, Major or Critical
    symptom_kind: isRack ? 'PowerLost' : 'HostDown',
    symptom_msg_key: isRack ? '{name} has no power.' : 'Host {name} does not answer.',
    symptom_msg_args: [{ key: 'name', text: isRack ? `Rack ${rack}` : `r${rack}-1` }],
    started_at_ns: ns((2 * number + 1.25) * hour),
    rack_id: rack,
    affected_host_ids: isRack ? hosts : hosts.slice(0, 1),
    affected_customer_ids: isRack ? [rack, rack + rackIds.length] : [rack],
    revenue_at_risk_per_hour_dollars: isRack ? 40 : 20,
  }
}

/** The world at this moment: the number of this state, its clock, and each list by its route. */
function world() {
  const seconds = Math.floor((performance.now() - startedMs) / 1_000)
  const now = 9 * hour + (10 + seconds) * speed
  const latest = incident(Math.floor((now / hour - 1.25) / 2))
  const incidents = ns(now - hour) < latest.started_at_ns ? [latest] : []
  const down = new Set(incidents.flatMap((one) => one.affected_host_ids))
  const hit = new Set(incidents.flatMap((one) => one.affected_customer_ids))
  const day = 0.5 - 0.5 * Math.cos((now / (24 * hour)) * 2 * Math.PI) // 0 at midnight, 1 at noon
  return {
    publish_seq: 1 + seconds,
    sim_time_ns: ns(now),
    azs: [{ id: 1, name: 'Server room', status: incidents.length > 0 ? 'Degraded' : 'Healthy' }],
    hosts: hostIds.map((id) => ({
      id,
      display_name: `r${rackOf(id)}-${1 + ((id - 1) % hostsPerRack)}`,
      az_id: 1,
      rack_id: rackOf(id),
      start_u: 1 + 2 * ((id - 1) % hostsPerRack),
      u_size: 2,
      online: !down.has(id),
    })),
    customers: names.map((name, index) => ({
      id: index + 1,
      name,
      tier: ['Bronze', 'Silver', 'Gold'][index % 3],
      rps: 20 + 100 * day * (index + 1),
      failed_last_hour: hit.has(index + 1) ? 9_000 : 0,
      satisfaction: hit.has(index + 1) ? 0.5 : 0.9,
      revenue_last_hour_dollars: 20,
      sla_period_availability_frac: hit.has(index + 1) ? 0.997 : 0.9998,
    })),
    incidents,
    events: [{ at_ns: latest.started_at_ns, severity: 'Error', msg_key: `Incident ${latest.id} began.` }],
  }
}

const server = createServer(({ url = '/' }, response) => {
  const { publish_seq, sim_time_ns, ...lists } = world()
  const meta = { publish_seq, sim_time_ns }
  const path = url.split('?')[0]
  const items = Object.entries(lists).find(([name]) => path === `/api/v1/${name}`)?.[1]
  if (path === '/health') return response.end(JSON.stringify(meta))
  if (items === undefined) return response.writeHead(404).end()
  // Of more than 1,000 records, those from the offset on that is asked for.
  return response.end(JSON.stringify({ meta, items, total: items.length, offset: 0, count: items.length }))
})

/** Never half a world: it is written beside the file, and renamed. */
function write(file: string): void {
  writeFileSync(`${file}.new`, JSON.stringify(world()))
  renameSync(`${file}.new`, file)
}

const [, , target = '9741'] = process.argv
const isPort = /^\d+$/.test(target)
if (isPort) server.listen(Number(target), '127.0.0.1')
else setInterval(() => write(target), 1_000)
console.log(isPort ? `The world is at http://127.0.0.1:${target}` : `The world is in ${target}`)
