import type { Frame } from '../encoding/frame.ts'

/** A frame, or the lack of one, with the texts that every response made from it repeats. */
export class Edition {
  readonly frame: Frame | null
  /** As X-Sim-Publish-Seq has it. */
  readonly publishSeq: string
  /** As `sim_time_ns` has it. */
  readonly simTimeNs: string
  readonly #metaRest: string
  readonly #tagOpening: string

  constructor(frame: Frame | null, bootId: string) {
    this.frame = frame
    this.publishSeq = String(frame?.publishSeq ?? 0)
    this.simTimeNs = String(frame?.simTimeNs ?? 0)
    this.#metaRest = `,"publish_seq":${this.publishSeq},"sim_time_ns":${this.simTimeNs}`
    this.#tagOpening = `W/"${bootId}.${this.publishSeq}.`
  }

  /** The opening of a body, up to the end of `meta`; `more` are members that this body's `meta` has besides. */
  meta(ageMs: number, more = ''): string {
    return `{"meta":{"age_ms":${ageMs}${this.#metaRest}${more}}`
  }

  /** The entity tag of a representation. */
  tag(representation: string): string {
    return `${this.#tagOpening}${representation}"`
  }
}

/** Remembers the edition of the present frame. */
export class Editions {
  readonly #bootId: string
  #current: Edition

  constructor(bootId: string) {
    this.#bootId = bootId
    this.#current = new Edition(null, bootId)
  }

  of(frame: Frame | null): Edition {
    if (this.#current.frame !== frame) this.#current = new Edition(frame, this.#bootId)
    return this.#current
  }
}
