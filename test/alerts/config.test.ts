import { describe, expect, test } from 'vitest'
import { ruleGroups } from '../../alerts/catalog.ts'
import { readSettings } from '../../alerts/config.ts'
import type { Alert } from '../../alerts/rule.ts'
import type { AlertSettings } from '../../alerts/settings.ts'

function settingsOf(tuned: unknown): AlertSettings {
  const reading = readSettings(JSON.stringify(tuned))
  if ('settings' in reading) return reading.settings
  throw new Error(reading.problems.join('\n'))
}

const alertOf = (tuned: unknown, name: string): Alert | undefined =>
  ruleGroups(settingsOf(tuned))
    .flatMap(({ alerts }) => alerts)
    .find(({ alert }) => alert === name)

const problemsOf = (json: string): readonly string[] => {
  const reading = readSettings(json)
  return 'problems' in reading ? reading.problems : []
}

describe('a tuning file', () => {
  test('moves a threshold', () => {
    expect(alertOf({}, 'DcsimLinkFull')!.expr).toContain(
      'link:dcsim_link_capacity_bytes_per_second:used_ratio > 0.9)',
    )
    expect(alertOf({ thresholds: { linkLoadFull: 0.95 } }, 'DcsimLinkFull')!.expr).toContain(
      'link:dcsim_link_capacity_bytes_per_second:used_ratio > 0.95)',
    )
  })

  test('scales waits by the speed of the world', () => {
    expect(alertOf({}, 'DcsimPoolContended')!.for).toBe('5m')
    expect(alertOf({ speed: 6 }, 'DcsimPoolContended')!.for).toBe('10m')
    expect(alertOf({ speed: 600 }, 'DcsimPoolContended')!.for).toBe('6s')
  })

  test('scales windows by it too, and never below four scrapes', () => {
    const window = (tuned: unknown): string =>
      ruleGroups(settingsOf(tuned))
        .flatMap(({ recordings }) => recordings)
        .find(({ record }) => record === 'world:dcsim_sim_time_seconds:increase_sim30h')!.expr
    expect(window({})).toContain('increase(dcsim_sim_steps_total[150m])')
    expect(window({ speed: 30 })).toContain('increase(dcsim_sim_steps_total[1h])')
    expect(window({ speed: 100_000 })).toContain('increase(dcsim_sim_steps_total[1m])')
  })

  test('adds labels to every alert', () => {
    expect(alertOf({ labels: { team: 'night' } }, 'DcsimHostDown')!.labels).toStrictEqual({
      team: 'night',
      severity: 'warning',
      category: 'hardware',
      subject: '{{ $labels.name }}',
    })
  })

  test('switches alerts off', () => {
    expect(alertOf({ off: ['DcsimHostDown'] }, 'DcsimHostDown')).toBeUndefined()
    expect(alertOf({ off: ['DcsimHostDown'] }, 'DcsimZoneHostsDown')).toBeDefined()
  })

  test('gives single alerts another severity and other waits', () => {
    const tuned = { DcsimHostDown: { severity: 'info', for: '2m', keepFiringFor: '5m' } } as const
    expect(alertOf({ alerts: tuned }, 'DcsimHostDown')).toMatchObject({
      for: '2m',
      keepFiringFor: '5m',
      labels: { severity: 'info' },
    })
    expect(alertOf({ alerts: tuned }, 'DcsimSwitchDown')).toMatchObject({ for: '50s', keepFiringFor: null })
  })

  test('takes the job as a pattern', () => {
    expect(alertOf({ job: 'dcsim-.*' }, 'DcsimMirrorDown')!.expr).toBe('up{job=~"dcsim-.*"} == 0')
  })

  test('widens windows for rare scrapes', () => {
    expect(alertOf({ scrape: 60 }, 'DcsimScrapesTooFew')!.expr).toContain(
      'count_over_time(up{job="dcsim"}[4m]) < 3',
    )
    expect(alertOf({ scrape: 60 }, 'DcsimHostDown')!.expr).toContain('changes(dcsim_sim_time_seconds[4m])')
    expect(alertOf({}, 'DcsimHostDown')!.expr).toContain('changes(dcsim_sim_time_seconds[1m])')
  })

  test('names the job, Grafana and the runbooks', () => {
    const tuned = { job: 'games', grafana: 'https://grafana.example', runbooks: 'https://wiki.example/dcsim' }
    expect(alertOf(tuned, 'DcsimMirrorDown')).toMatchObject({
      expr: 'up{job="games"} == 0',
      annotations: {
        runbook_url: 'https://wiki.example/dcsim/DcsimMirrorDown',
        dashboard_url:
          'https://grafana.example/d/dcsim-mirror?var-session={{ $labels.session | urlquery }}&var-instance={{ $labels.instance | urlquery }}',
      },
    })
  })
})

describe('a tuning file is refused', () => {
  test.each<[unknown, RegExp]>([
    [[], /^is \[\]; an object was expected$/],
    [{ sped: 60 }, /^there is no setting "sped"; did you mean speed\?/],
    [{ thresholds: { linkLoad: 1 } }, /^thresholds has no "linkLoad"; did you mean linkLoad/],
    [
      { thresholds: { linkLoadFull: 95 } },
      /^thresholds linkLoadFull is 95; a number from 0 to 1 was expected$/,
    ],
    [{ thresholds: { linkLoadFull: '0.95' } }, /^thresholds linkLoadFull is "0.95"; a number/],
    [{ speed: 0 }, /^speed is 0; a number from 0.1 to 100000 was expected$/],
    [
      { alerts: { HostDown: {} } },
      /^alerts has "HostDown", which is no alert; did you mean DcsimHostDown\?$/,
    ],
    [
      { alerts: { DcsimHostDown: { for: 'soon' } } },
      /^alerts DcsimHostDown for is "soon"; a time such as 30s or/,
    ],
    [{ job: 'a"b' }, /^job is "a\\"b"; the name of a scrape job, or a pattern was expected$/],
    [{ grafana: 'localhost:3000' }, /^grafana is .*; an http or https address/],
    [{ labels: { severity: 'page' } }, /^labels has "severity"; a label name other/],
    [{ labels: { team: '{{ . }}' } }, /^labels team is .*; a text without braces/],
    [{ off: ['HostsDown'] }, /^off has "HostsDown", which is no alert; did you mean DcsimHostDown\?$/],
    [{ off: ['Everything'] }, /^off has "Everything", which is no alert; alerts\/runbooks describes all$/],
  ])('with %j', (tuned, told) => {
    expect(problemsOf(JSON.stringify(tuned))).toEqual([expect.stringMatching(told)])
  })

  test('that is not JSON', () => {
    expect(problemsOf('{"speed": }')[0]).toMatch(/^not JSON: /)
  })

  test('with all that is wrong, at once', () => {
    expect(problemsOf('{"speed": -1, "off": 3, "thresholds": {"linkLoadFull": 2}}')).toHaveLength(3)
  })
})
