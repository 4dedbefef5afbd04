import type { Frame, PublishMoment } from '../../encoding/frames/frame.ts'

/** A frame, or none before the first publish, with the texts that all its responses repeat. */
export class PublishedFrame {
  readonly frame: Frame | null
  /** The publish that a response is of: that of the frame, or of its samples. */
  readonly publish: PublishMoment | null
  /** The value of X-Sim-Publish-Seq. */
  readonly publishSeq: string
  /** The value of `sim_time_ns`. */
  readonly simTimeNs: string
  readonly #metaRest: string
  readonly #tagOpening: string

  constructor(frame: Frame | null, bootId: string, publish: PublishMoment | null = frame) {
    this.frame = frame
    this.publish = publish
    this.publishSeq = String(publish?.publishSeq ?? 0)
    this.simTimeNs = String(publish?.simTimeNs ?? 0)
    this.#metaRest = `,"publish_seq":${this.publishSeq},"sim_time_ns":${this.simTimeNs}`
    this.#tagOpening = `W/"${bootId}.${this.publishSeq}.`
  }

  /** The beginning of a body up to the end of `meta`; `more` are further members of `meta`. */
  meta(ageMs: number, more = ''): string {
    return `{"meta":{"age_ms":${ageMs}${this.#metaRest}${more}}`
  }

  tag(representation: string): string {
    return `${this.#tagOpening}${representation}"`
  }
}

/** Caches the texts of the current frame. */
export class PublishedFrames {
  readonly #bootId: string
  #current: PublishedFrame

  constructor(bootId: string) {
    this.#bootId = bootId
    this.#current = new PublishedFrame(null, bootId)
  }

  of(frame: Frame | null): PublishedFrame {
    if (this.#current.frame !== frame) this.#current = new PublishedFrame(frame, this.#bootId)
    return this.#current
  }

  /** The publish of the samples in a frame. */
  ofSamples(frame: Frame): PublishedFrame {
    return new PublishedFrame(frame, this.#bootId, frame.sampled ?? frame)
  }
}
