import type { Sections, StateHead } from '../../src/store/world-state.ts'

export const worldId = 'killed'
export const actionEvery = 3

export const headOfSave = (seq: number): StateHead => ({
  version: '1',
  seed: '1',
  scale: '1',
  scenario: '',
  worldId,
  publishSeq: seq,
  simTimeNs: BigInt(seq),
})

/** Of several pieces, each of which tells its save. */
export const sectionsOfSave = (seq: number): Sections => ({
  world: Buffer.alloc(2_500_000, `world ${seq}.`),
  rings: Buffer.from(`rings ${seq}`),
  memory: Buffer.alloc(1_200_000 + seq, `memory ${seq}.`),
})
