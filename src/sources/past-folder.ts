import { closeSync, mkdirSync, openSync, readdirSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { TextSink } from './past-texts.ts'

/** All of the bytes, however many calls it takes. */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

/** Texts as files of a folder, named by the second that they begin with. One that is not complete has another ending. */
export class PastFolder implements TextSink {
  readonly #folder: string
  #unfinished = ''
  #file = -1
  readonly paths: string[] = []

  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true })
    const held = readdirSync(folder).filter((name) => name.endsWith('.om'))
    if (held.length === 0) return
    throw new Error(
      `it holds a past already, as ${held[0]}, and two would overlap. ` +
        `To replace it, remove it first: rm ${join(folder, '*.om')}`,
    )
  }

  open(fromSeconds: number): void {
    const path = join(this.#folder, `${fromSeconds}.om`)
    this.paths.push(path)
    this.#unfinished = `${path}.unfinished`
    this.#file = openSync(this.#unfinished, 'w')
  }

  write(bytes: Uint8Array): void {
    writeAll(this.#file, bytes)
  }

  close(): void {
    closeSync(this.#file)
    renameSync(this.#unfinished, this.paths.at(-1)!)
  }
}
