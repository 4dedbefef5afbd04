import { MappingType } from '@grafana/grafana-foundation-sdk/dashboard'
import type { ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import {
  applianceKinds,
  bands,
  contentionStates,
  securityAddons,
  severities,
  switchRoles,
  wanPolicies,
} from '../../src/contract/vocabularies.ts'
import { capitalized } from '../../src/words/phrases.ts'
import { applianceWords, plainWords } from '../../src/words/vocabulary.ts'
import {
  alarm,
  attention,
  bandColors,
  bandTextColors,
  palette,
  severityColors,
  okColor,
  plainText,
} from './look.ts'

/** Texts and colors for values. */
export const texts = (
  of: Readonly<Record<string, readonly [text: string, color: string]>>,
): ValueMapping[] => [
  {
    type: MappingType.ValueToText,
    options: Object.fromEntries(
      Object.entries(of).map(([value, [text, color]], index) => [value, { text, color, index }]),
    ),
  },
]

const contentionColors = [okColor, bandTextColors.Minor, attention, alarm] as const

/** 0 None … 3 Starved, as in contentionLevel(). */
export const contentionTexts = texts(
  Object.fromEntries(
    contentionStates.map((state, level) => [String(level), [state, contentionColors[level]] as const]),
  ),
)

export const healthyFlagTexts = texts({ 1: ['Yes', okColor], 0: ['No', alarm] })
export const faultFlagTexts = texts({ 1: ['Yes', alarm], 0: ['No', okColor] })
export const upOrDown = texts({ 1: ['Up', okColor], 0: ['Down', alarm] })
export const pausedTexts = texts({ 1: ['Paused', attention], 0: ['Running', okColor] })
export const serviceTexts = texts({
  0: ['Down', alarm],
  1: ['Running', okColor],
  2: ['Impaired', attention],
})

/** Values of a closed set in words, without a color of their own. */
const inWords = (values: readonly string[], words: (value: string) => string) =>
  texts(Object.fromEntries(values.map((value) => [value, [capitalized(words(value)), plainText] as const])))

export const applianceTexts = inWords(applianceKinds, applianceWords)
export const addonTexts = inWords(securityAddons, plainWords)
export const wanPolicyTexts = inWords(wanPolicies, plainWords)
export const roleTexts = inWords(switchRoles, plainWords)

/** Bands by the severity of a row: 0 in order, 4 critical. */
export const bandLevels = texts({
  0: ['None', 'transparent'],
  ...Object.fromEntries(bands.map((band, at) => [String(at + 1), [band, bandColors[band]] as const])),
})
/** Severities that need no action have no color: they are present at all times. */
export const severityLevels = texts(
  Object.fromEntries(
    severities.map((severity, at) => [
      String(at + 1),
      [severity, severity === 'Info' ? 'transparent' : severityColors[severity]] as const,
    ]),
  ),
)

export const questTexts = texts({
  next: ['next', palette.orange],
  open: ['open', palette.sky],
  done: ['done', okColor],
  locked: ['locked', palette.gray],
})
