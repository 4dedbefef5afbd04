import type { AssembledFrame } from '../encoding/frames/frame-assembly.ts'
import type { Frame } from '../encoding/frames/frame.ts'

/** Memory that leases may keep for superseded frames; beyond it, the leases of slow clients are revoked. */
const supersededBytesMax = 256 * 2 ** 20

/** A lease younger than this is never revoked: load alone makes no client slow. */
const leaseRevocableAfterMs = 10_000

interface Lease {
  readonly revoke: () => void
  readonly sinceMs: number
  isRevoked: boolean
}

interface LeasedFrame {
  readonly frame: Frame
  readonly buffers: ReadonlySet<ArrayBufferLike>
  readonly leases: Set<Lease>
}

/**
 * The current frame, and superseded ones that responses still send. A buffer is recycled only when none of these frames
 * reads it, so that bytes handed to a socket never change.
 */
export class FrameLeases {
  /** Oldest first; the last is the current one. */
  readonly #frames: LeasedFrame[] = []
  /** The number of frames that read each buffer. */
  readonly #references = new Map<ArrayBufferLike, number>()
  readonly #recycle: (buffers: ArrayBufferLike[]) => void

  constructor(recycle: (buffers: ArrayBufferLike[]) => void) {
    this.#recycle = recycle
  }

  get supersededFrames(): number {
    return Math.max(0, this.#frames.length - 1)
  }

  /** Makes a frame the current one. */
  supersede({ frame, buffers }: AssembledFrame, nowMs: number): void {
    for (const buffer of buffers) this.#references.set(buffer, (this.#references.get(buffer) ?? 0) + 1)
    const previous = this.#frames.at(-1)
    this.#frames.push({ frame, buffers, leases: new Set() })
    if (previous !== undefined) this.#retireUnleased(previous)
    this.#revokeSlowLeases(nowMs)
  }

  /**
   * Leases a frame until the returned function is called. `revoke` is called to request that when memory runs short.
   */
  lease(frame: Frame, revoke: () => void, nowMs: number): () => void {
    const leased = this.#frames.findLast((one) => one.frame === frame)
    if (leased === undefined)
      throw new Error(`The buffers of publish ${frame.publishSeq} were already recycled.`)
    const lease = { revoke, sinceMs: nowMs, isRevoked: false }
    leased.leases.add(lease)
    return () => {
      if (leased.leases.delete(lease)) this.#retireUnleased(leased)
    }
  }

  #retireUnleased(leased: LeasedFrame): void {
    if (leased.leases.size > 0 || leased === this.#frames.at(-1)) return
    this.#frames.splice(this.#frames.indexOf(leased), 1)
    const unused: ArrayBufferLike[] = []
    for (const buffer of leased.buffers) {
      const references = this.#references.get(buffer)! - 1
      if (references > 0) this.#references.set(buffer, references)
      else {
        this.#references.delete(buffer)
        unused.push(buffer)
      }
    }
    if (unused.length > 0) this.#recycle(unused)
  }

  #revokeSlowLeases(nowMs: number): void {
    const superseded = this.#frames
      .slice(0, -1)
      .filter(({ leases }) => [...leases].some((lease) => !lease.isRevoked))
    while (superseded.length > 0 && this.#bytesHeldBy(superseded) > supersededBytesMax) {
      for (const lease of superseded.shift()!.leases) {
        if (lease.isRevoked || nowMs - lease.sinceMs < leaseRevocableAfterMs) continue
        lease.isRevoked = true
        lease.revoke()
      }
    }
  }

  /** Memory that only these frames keep: buffers of the current frame are in use anyway. */
  #bytesHeldBy(frames: readonly LeasedFrame[]): number {
    const current = this.#frames.at(-1)
    const buffers = new Set(frames.flatMap((leased) => [...leased.buffers]))
    let bytes = 0
    for (const buffer of buffers) if (current?.buffers.has(buffer) !== true) bytes += buffer.byteLength
    return bytes
  }
}
