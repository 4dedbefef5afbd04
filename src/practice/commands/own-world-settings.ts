/** Settings of commands that run worlds of their own: a question about one, and labeled cases of many. */
import {
  anyText,
  integer,
  listOfValues,
  mapped,
  nonEmpty,
  oneOfValues,
  positiveDuration,
} from '../../options/setting.ts'
import type { Setting } from '../../options/setting.ts'
import { worldSettings } from '../../options/world-settings.ts'

/** Kinds of parts that N-1 loses, one after the other. */
const lostParts = ['feed', 'cooling', 'gateway', 'switch', 'appliance', 'host'] as const

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
  'session-file': {
    placeholder: 'FILE',
    defaultText: '',
    help:
      'File of a session, whose mirror may run: the question is about its world as it was saved last. Without it, a new ' +
      'world is asked, by the options below.',
    brief: 'File of a session, whose mirror may run.',
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
    parse: (text) => (text === '' ? [] : listOfValues(lostParts)(text)),
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
    parse: oneOfValues(['text', 'json']),
  },
} as const satisfies Record<string, Setting<unknown>>

const caseForms = ['own', 'rcaeval', 'petshop', 'openrca'] as const

export const casesSettings = {
  out: {
    placeholder: 'DIR',
    defaultText: 'cases/',
    help: 'Directory to write, which is created.',
    brief: true,
    parse: nonEmpty('a directory'),
  },
  count: {
    placeholder: 'N',
    defaultText: '20',
    help: 'Number of cases, up to 10000.',
    brief: true,
    parse: integer(1, 10_000),
  },
  seed: {
    ...builtInWorldSettings.seed,
    defaultText: '1000',
    help: 'Seed of the first world; each further world has the next.',
  },
  scale: { ...builtInWorldSettings.scale, defaultText: 'small' },
  forms: {
    placeholder: 'LIST',
    defaultText: caseForms.join(','),
    help: `Forms in which cases are written: ${caseForms.join(', ')}.`,
    parse: listOfValues(caseForms),
  },
  only: {
    placeholder: 'SEED-N',
    defaultText: '',
    help: 'Makes one case again, as the file "command" beside its truth says.',
    parse: anyText,
  },
} as const satisfies Record<string, Setting<unknown>>

const scoreFormats = ['table', 'markdown', 'json'] as const
const scoredSplits = ['all', 'train', 'validation', 'test'] as const

export const scoreSettings = {
  cases: {
    placeholder: 'DIR',
    defaultText: 'cases/',
    help: 'Directory that cases wrote.',
    brief: true,
    parse: nonEmpty('a directory'),
  },
  answers: {
    placeholder: 'FILE',
    defaultText: '',
    help: 'Answers to score beside the baselines, under the name of the file: a JSON line for each case.',
    brief: true,
    parse: anyText,
  },
  split: {
    placeholder: 'NAME',
    defaultText: 'all',
    help: 'Cases to score: all, or those of one split: train, validation or test.',
    parse: oneOfValues(scoredSplits),
  },
  format: {
    placeholder: 'NAME',
    defaultText: 'table',
    help: 'How to print the scores: as a table, as one in Markdown, or as JSON.',
    parse: oneOfValues(scoreFormats),
  },
} as const satisfies Record<string, Setting<unknown>>
