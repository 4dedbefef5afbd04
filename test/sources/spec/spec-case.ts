import type { IncomingMessage } from 'node:http'
import type { Reply } from '../attached/fake-upstream.ts'
import type { PlainWorld } from './plain-world.ts'
import { targetOf } from './spec-upstream.ts'
import type { Part } from './spec-upstream.ts'

/** An upstream that the specification allows. */
export interface SpecCase {
  readonly name: string
  /** The upstream's own form of the world. */
  readonly world?: (world: PlainWorld) => PlainWorld
  /** The upstream's own form of a reply; as specified where left out. */
  readonly reply?: (reply: Reply, path: string) => Reply
  /** The parts that a mirror cannot know. */
  readonly unknown?: readonly Part[]
  /** Whether records lack fields, so that their families and cells may be missing too. */
  readonly isSparse?: true
  /** Whether vocabularies have other words, whose meaning is not known. */
  readonly isReworded?: boolean
  /** Whether the simulated time is not told. */
  readonly isTimeless?: true
  /** Whether the form is that of another world, rather than a part of the same. */
  readonly isOtherWorld?: true
}

export const filterOf =
  ({ reply: change = (reply) => reply }: SpecCase) =>
  (reply: Reply, request: IncomingMessage): Reply =>
    change(reply, targetOf(request))
