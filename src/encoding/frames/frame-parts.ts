import { collectionNames } from '../../contract/collections.ts'
import type { CollectionName } from '../../contract/collections.ts'

/** A part of a frame that is made only for clients that read it. */
export type FramePart = CollectionName | 'diagnostics' | 'samples'

/** The parts that are made of records alone. */
export const recordParts: readonly FramePart[] = [...collectionNames, 'diagnostics']
export const allParts: readonly FramePart[] = [...recordParts, 'samples']
