import { portsById } from './checked-world.ts'
import type { Check } from './checked-world.ts'

interface Reading {
  readonly out: bigint
  readonly in: bigint
  readonly gbps: number
}

/** Bytes of one Gbit/s in a nanosecond. */
const bytesPerGbpsNs = 1 / 8

/** No port counts more bytes between two checks than its link can carry. */
export function watchRates(): Check {
  let before = new Map<number, Reading>()
  let lookedAt = 0n
  return ({ snapshot: { collections, simTimeNs } }) => {
    const wrong: string[] = []
    const now = new Map<number, Reading>()
    for (const [id, { kind, device, port }] of portsById(collections)) {
      const reading: Reading = {
        out: BigInt(port.bytes_egress_total),
        in: BigInt(port.bytes_ingress_total),
        gbps: port.link_capacity_gbps,
      }
      now.set(id, reading)
      const last = before.get(id)
      if (last === undefined) continue
      // The link may have been upgraded meanwhile; counters are whole bytes.
      const most = Math.max(last.gbps, reading.gbps) * bytesPerGbpsNs * Number(simTimeNs - lookedAt) + 2
      for (const way of ['out', 'in'] as const) {
        const bytes = Number(reading[way] - last[way])
        if (bytes > most * (1 + 1e-9))
          wrong.push(`${kind} ${device}, port ${id}: ${bytes} bytes ${way}, its link carries ${most}`)
      }
    }
    before = now
    lookedAt = simTimeNs
    return wrong
  }
}
