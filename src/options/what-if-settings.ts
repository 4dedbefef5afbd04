/** Settings of the world that a question is about, and of the answer. */
import { anyText, mapped, oneOfValues, ParseFailure, positiveDuration } from './setting.ts'
import type { Setting } from './setting.ts'
import { worldSettings } from './world-settings.ts'

/** Kinds of parts that N-1 loses, one after the other. */
const lostParts = ['feed', 'cooling', 'gateway', 'switch', 'appliance', 'host'] as const
type LostPart = (typeof lostParts)[number]

function partList(text: string): readonly LostPart[] | ParseFailure {
  const words = text === '' ? [] : text.split(',').map((word) => word.trim())
  const parts = lostParts.filter((part) => words.includes(part))
  return words.every((word) => (lostParts as readonly string[]).includes(word))
    ? parts
    : new ParseFailure(`a list of ${lostParts.join(', ')}`)
}

/** The same settings as of a mirror, for commands that have no other source than the built-in world. */
function builtIn<S extends Setting<unknown>>(setting: S): Omit<S, 'requires'> {
  const { requires, ...others } = setting
  void requires
  return others
}

export const builtInWorldSettings = {
  seed: builtIn(worldSettings.seed),
  scale: builtIn(worldSettings.scale),
  scenario: builtIn(worldSettings.scenario),
  warmup: builtIn(worldSettings.warmup),
} as const

const seconds = (ns: bigint): number => Number(ns / 1_000_000_000n)

export const whatIfSettings = {
  state: {
    placeholder: 'FILE',
    defaultText: '',
    help:
      'State file of a mirror, which may run: the question is about its world as it was saved last. Without it, a new ' +
      'world is asked, by the options below.',
    brief: 'State file of a mirror, which may run.',
    parse: anyText,
  },
  ...builtInWorldSettings,
  for: {
    placeholder: 'TIME',
    defaultText: '6h',
    help: 'Simulated time over which the worlds are compared.',
    brief: true,
    parse: mapped(positiveDuration(30), seconds),
  },
  with: {
    placeholder: 'ACTION',
    defaultText: '',
    help: 'What is done about it, in the same words: a third world shows what that would save. May be repeated.',
    brief: true,
    repeatable: true,
    parse: anyText,
  },
  each: {
    placeholder: 'LIST',
    defaultText: '',
    help: `Instead of an action, loses every part of these kinds, one at a time: ${lostParts.join(', ')}.`,
    brief: `Loses every ${lostParts.slice(0, -1).join(', ')} or ${lostParts.at(-1)}, one at a time.`,
    parse: partList,
  },
  zone: {
    placeholder: 'NAME',
    defaultText: '',
    defaultHelp: 'all zones',
    help: 'Zone in which --each loses parts, by its id or name.',
    parse: anyText,
  },
  format: {
    placeholder: 'text/json',
    defaultText: 'text',
    help: 'Words and a table, or JSON.',
    choices: ['text', 'json'],
    parse: oneOfValues(['text', 'json']),
  },
  picture: {
    placeholder: 'FILE',
    defaultText: '',
    help: 'File for a picture of the customers that are hit, as SVG.',
    brief: true,
    parse: anyText,
  },
} as const satisfies Record<string, Setting<unknown>>
