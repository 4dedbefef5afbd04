/**
 * A world of its own in less than a hundred lines: a server room of two racks, whose hosts are loaded by day, and one of
 * which is down for ten minutes of each hour.
 *
 *   node server-room.ts 9741
 *   dcsim-mirror check http://127.0.0.1:9741
 *   dcsim-mirror --source http://127.0.0.1:9741
 */
import { createMirror, eventOf, recordOf } from 'dcsim-mirror'
import type { World } from 'dcsim-mirror'

const hostsPerRack = 4
const kwPerHost = 0.4
const minuteNs = 60_000_000_000n
/** Simulated seconds per second on the wall. The room opens at 8:55, while the host is down. */
const [, , listenPort = '0', speed = '60'] = process.argv
const openedNs = (8n * 60n + 55n) * minuteNs
const beganMs = performance.now()

const nowNs = (): bigint =>
  openedNs + BigInt(Math.round((performance.now() - beganMs) * Number(speed))) * 1_000_000n

/** The first host fails in each hour's last ten minutes. */
const failsAtNs = (atNs: bigint): bigint => (atNs / (60n * minuteNs)) * 60n * minuteNs + 50n * minuteNs
const isDown = (atNs: bigint): boolean => atNs >= failsAtNs(atNs)

function hostsAt(atNs: bigint, online: boolean) {
  const hour = Number((atNs / minuteNs) % 1_440n) / 60
  return Array.from({ length: 2 * hostsPerRack }, (_, index) => {
    const isOnline = index > 0 || online
    const load = isOnline ? 50 + 30 * Math.sin(((hour - 9) / 12) * Math.PI) + index : 0
    return recordOf('hosts', {
      id: index + 1,
      display_name: `room-${index + 1}`,
      az_id: 1,
      rack_id: 1 + Math.floor(index / hostsPerRack),
      start_u: 1 + 2 * (index % hostsPerRack),
      u_size: 2,
      online: isOnline,
      power_feeds: 2,
      physical_vcpu: 16,
      used_millivcpu: Math.round(160 * load),
    })
  })
}

/** The host that is down, as operators see it. */
const incidentSince = (startedNs: bigint) =>
  recordOf('incidents', {
    id: startedNs / (60n * minuteNs) + 1n,
    root_kind: 'Unknown',
    rack_id: 1,
    symptom_kind: 'HostUnreachable',
    symptom_msg_key: 'symptom.host-silent',
    symptom_msg_args: [
      { key: 'name', text: 'room-1', number: 0, is_number: false },
      { key: 'place', text: 'rack A-1', number: 0, is_number: false },
    ],
    started_at_ns: startedNs,
    last_changed_at_ns: startedNs,
    affected_host_ids: [1],
    affected_host_total: 1,
    band: 'Minor',
  })

const world: World = {
  read() {
    const atNs = nowNs()
    const online = !isDown(atNs)
    const hosts = hostsAt(atNs, online)
    const racks = [1, 2].map((id) => {
      const running = hosts.filter((host) => host.rack_id === id && host.online).length
      return {
        id,
        name: `A-${id}`,
        u_size: 42,
        used_u: 2 * hostsPerRack,
        host_count: hostsPerRack,
        hosts_online: running,
        power_feeds: 2,
        power_capacity_kw: 4,
        power_draw_kw: running * kwPerHost,
        inlet_celsius: 22,
      }
    })
    const zone = recordOf('azs', { id: 1, name: 'room', display_name: 'Server room', racks, rack_count: 2 })
    const incidents = online ? [] : [incidentSince(failsAtNs(atNs))]
    return {
      simTimeNs: atNs,
      collections: { azs: [zone], hosts, incidents },
      events: [eventOf({ at_ns: openedNs, kind: 'WorldStarted', severity: 'Info' })],
    }
  },
}

const mirror = createMirror({ source: world, log: console.error })
const { port } = await mirror.listen(Number(listenPort))
console.log(`The server room is at http://127.0.0.1:${port}`)
