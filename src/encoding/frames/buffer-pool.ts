/** Idle buffers beyond this are released, the longest idle first. */
const idleBytesMax = 512 * 2 ** 20

const granule = 4096

/**
 * Keeps buffers, which several threads read, for reuse. The kernel maps the pages of a fresh large buffer one by one on first write, which costs far
 * more than overwriting a used one.
 */
export class BufferPool {
  readonly #idle: ArrayBufferLike[] = []
  #idleBytes = 0

  get idleBytes(): number {
    return this.#idleBytes
  }

  /** A buffer of at least `byteLength`, with arbitrary content. */
  take(byteLength: number): ArrayBufferLike {
    let best = -1
    for (let i = 0; i < this.#idle.length; i++) {
      const size = this.#idle[i].byteLength
      const fits = size >= byteLength && size <= 2 * byteLength + granule
      if (fits && (best < 0 || size < this.#idle[best].byteLength)) best = i
    }
    if (best >= 0) {
      const [buffer] = this.#idle.splice(best, 1)
      this.#idleBytes -= buffer.byteLength
      return buffer
    }
    // Lengths grow slowly from publish to publish: an eighth of slack avoids most replacements.
    return new SharedArrayBuffer(Math.ceil((byteLength * 1.125 + 1) / granule) * granule)
  }

  give(buffer: ArrayBufferLike): void {
    this.#idle.push(buffer)
    this.#idleBytes += buffer.byteLength
    while (this.#idleBytes > idleBytesMax) this.#idleBytes -= this.#idle.shift()!.byteLength
  }
}
