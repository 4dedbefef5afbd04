/** Damaged worlds in a file: what is sound in them is read, and the rest has a sentence. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import { processClock as clock } from '../../../src/process/clock.ts'
import { AttachedSource } from '../../../src/sources/attached/source.ts'
import { SourceError } from '../../../src/sources/source.ts'
import type { SeededRandom } from '../../fixtures/seeded-random.ts'
import { damages } from '../damaged-bytes.ts'
import { mutateText } from '../reply-mutations.ts'
import type { Observe, OpenTarget } from '../target.ts'

const hostCount = 20
/** A capture waits for another publish for a cadence at most. */
const cadenceMs = 1

function worldOf(publishSeq: number): Buffer {
  const hosts = Array.from({ length: hostCount }, (_, id) => ({ id, display_name: `h-${id}`, rack_id: 1 }))
  const world = {
    publish_seq: publishSeq,
    sim_time_ns: publishSeq * 1_000_000_000,
    azs: [{ id: 1, name: 'a', racks: [{ id: 1, name: 'A-1', u_size: 42 }] }],
    hosts,
    customers: [{ id: 1, name: 'Café “Ø”', tier: 'Gold', satisfaction: 0.5 }],
    incidents: [{ id: 1, band: 'Critical', symptom_kind: 'PowerLost', affected_host_ids: [1, 2] }],
    events: [{ at_ns: 5, severity: 'Error', msg_key: 'It began.' }],
  }
  return Buffer.from(JSON.stringify(world))
}

/** One sentence or two, as operators read it, at most with a command to try. */
const isSentence = /^[A-Z][^]+(?:\.|: dcsim-mirror check \S+)$/

class WorldFiles {
  readonly #folder = mkdtempSync(join(tmpdir(), 'dcsim-fuzz-file-'))
  readonly #path = join(this.#folder, 'world.json')
  readonly #source = new AttachedSource({
    origin: pathToFileURL(this.#path),
    exposition: createExposition({ collectors: [] }),
    clock,
    cadenceMs,
  })
  readonly #observe: Observe
  #publishSeq = 1

  constructor(observe: Observe) {
    this.#observe = observe
  }

  async faultsOf(random: SeededRandom): Promise<string[]> {
    const name = this.#damage(random, worldOf(++this.#publishSeq))
    const faults: string[] = []
    await this.#capture(faults)
    rmSync(this.#path, { recursive: true, force: true })
    this.#write(worldOf(++this.#publishSeq))
    // A list that could not be read is read again after a few publishes.
    let hosts = await this.#capture(faults)
    for (let attempt = 0; hosts !== hostCount && attempt < 20; attempt++) {
      await new Promise((resolve) => setTimeout(resolve, 10 * cadenceMs))
      this.#write(worldOf(++this.#publishSeq))
      hosts = await this.#capture(faults)
    }
    if (hosts !== hostCount) faults.push(`${hosts} hosts of a sound file, expected ${hostCount}`)
    return faults.map((fault) => `${name}: ${fault}`)
  }

  #damage(random: SeededRandom, sound: Buffer): string {
    if (random.oneIn(20)) {
      rmSync(this.#path, { force: true })
      if (random.oneIn(2)) mkdirSync(this.#path)
      return 'no file'
    }
    if (random.oneIn(2)) {
      this.#write(Buffer.from(mutateText(random, sound.toString())))
      return 'another text'
    }
    const { name, apply } = random.pick(damages)
    writeFileSync(this.#path, apply(random, sound))
    return name
  }

  #write(bytes: Buffer): void {
    writeFileSync(`${this.#path}.new`, bytes)
    renameSync(`${this.#path}.new`, this.#path)
  }

  /** The number of hosts that are read; null if nothing is. */
  async #capture(faults: string[]): Promise<number | null> {
    try {
      const content = await this.#source.capture()
      return content === null ? null : content.encoded.collections.hosts.count
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      const text = this.#observe(error.message)
      if (text.includes('could not be read')) faults.push(`a bug: ${text}`)
      if (!isSentence.test(text)) faults.push(`no sentence: ${text}`)
      return null
    }
  }

  close(): void {
    this.#source.close()
    rmSync(this.#folder, { recursive: true })
  }
}

export const openWorldFile: OpenTarget = async (_seed, observe) => {
  const files = new WorldFiles(observe)
  return { lanes: 1, run: ({ random }) => files.faultsOf(random), close: async () => files.close() }
}
