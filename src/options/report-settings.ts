/** Settings of the command that grades alert rules. */
import { webAddress } from './link-settings.ts'
import { anyText, duration, mapped, oneOfValues, optional, ParseFailure } from './setting.ts'

function wallSeconds(text: string): number | ParseFailure {
  const seconds = /^\d{10}$/.test(text) ? Number(text) : Date.parse(text) / 1000
  return Number.isFinite(seconds)
    ? Math.floor(seconds)
    : new ParseFailure('a time such as 2026-11-23T20:00:00Z, or seconds since 1970')
}

function ruleNames(text: string): RegExp | ParseFailure {
  try {
    return new RegExp(text === '' ? '' : `^(?:${text})$`)
  } catch {
    return new ParseFailure('a regular expression such as DcsimIncident.*')
  }
}

export const reportSettings = {
  prometheus: {
    placeholder: 'URL',
    defaultText: '',
    variableOf: 'prometheus-url',
    help: 'Prometheus that scraped the world, or has its history, and has the rules loaded.',
    parse: webAddress,
  },
  format: {
    placeholder: 'table/json',
    defaultText: 'table',
    help: 'How to print the grades.',
    parse: oneOfValues(['table', 'json']),
  },
  grace: {
    placeholder: 'TIME',
    defaultText: '90s',
    help: 'Wall time after the end of a fault in which an alert may still be about it.',
    parse: mapped(duration(1), (ns) => Number(ns / 1_000_000_000n)),
  },
  from: {
    placeholder: 'WHEN',
    defaultText: '',
    defaultHelp: 'the end of the warm-up',
    help: 'Where to begin: a time such as 2026-11-23T20:00:00Z, or seconds since 1970.',
    parse: optional(wallSeconds),
  },
  until: {
    placeholder: 'WHEN',
    defaultText: '',
    defaultHelp: 'the end of the truth, or now if the mirror runs',
    help: 'Where to end, in the same forms.',
    parse: optional(wallSeconds),
  },
  alerts: {
    placeholder: 'REGEX',
    defaultText: '',
    defaultHelp: 'all rules',
    help: 'Rules to grade: a regular expression that their whole names match.',
    parse: ruleNames,
  },
  session: {
    placeholder: 'NAME',
    defaultText: '',
    help: 'Session that the truth is about, where Prometheus scrapes several.',
    parse: anyText,
  },
} as const
