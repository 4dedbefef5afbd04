import type { Argument } from './catalog.ts'

/**
 * Arguments beside those of a message's template, which identify the entities that an incident's message names: the key
 * is the kind, `number` the id. In other arguments that are no number, `number` is 0.
 */
const kinds = {
  host: 'Host',
  switch: 'Switch',
  gateway: 'Gateway',
  appliance: 'Appliance',
  zone: 'Zone',
} as const

type EntityKey = keyof typeof kinds

interface MentionedEntity {
  readonly kind: (typeof kinds)[EntityKey]
  readonly id: bigint
  readonly name: string
}

export const entityArgument = (key: EntityKey, name: string, id: number): Argument => ({
  key,
  text: name,
  number: id,
  is_number: false,
})

const isEntityKey = (key: string): key is EntityKey => Object.hasOwn(kinds, key)

/** The entities that a message names by id: none in messages of other worlds, or in those that name customers only. */
export const entitiesIn = (messageArgs: readonly Argument[]): MentionedEntity[] =>
  messageArgs.flatMap(({ key, text, number, is_number: isNumber }) =>
    isEntityKey(key) && !isNumber && Number.isSafeInteger(number) && number > 0
      ? [{ kind: kinds[key], id: BigInt(number), name: text }]
      : [],
  )
