import { calculate, compare, filter, metric, withLabels } from '../promql.ts'
import { alertDefiner } from '../rule.ts'
import type { Alert, DefineAlert, RuleGroup } from '../rule.ts'
import type { Settings } from '../settings.ts'
import { percent, wholeNumber } from '../annotation-text.ts'

const subject = 'hardware'

function hosts(make: DefineAlert, settings: Settings): Alert[] {
  const { hostsOnlineShareLow } = settings.thresholds
  const online = calculate(metric('dcsim_az_hosts_online'), '/', metric('dcsim_az_hosts'))
  const oneFeed = compare(metric('dcsim_host_power_feeds_live'), '==', 1)
  const zoneRedundant = compare(metric('dcsim_az_power_redundant'), '==', 1)
  const down = compare(metric('dcsim_host_online'), '==', 0)
  const inMaintenance = compare(metric('dcsim_host_in_maintenance'), '==', 1)
  return [
    make('DcsimHostDown', {
      severity: 'warning',
      // Whoever took a host out of service knows that it does not serve.
      expr: withLabels(
        filter(down, 'unless', inMaintenance, ['host']),
        'dcsim_host_info',
        ['host'],
        ['name', 'rack'],
      ),
      holds: 20,
      key: ['host'],
      summary: 'A host does not serve.',
      description: 'Host {name} in rack {rack} of zone {az} does not run, or cannot be reached.',
      dashboard: 'host',
      opens: ['instance', 'host'],
    }),
    make('DcsimZoneHostsDown', {
      severity: 'warning',
      expr: withLabels(compare(online, '<', hostsOnlineShareLow), 'dcsim_az_info', ['az'], ['display_name']),
      holds: 10,
      key: ['az'],
      summary: 'Many hosts of a zone do not serve.',
      description: `In zone {display_name}, only ${percent} of the hosts serve.`,
      dashboard: 'compute',
      opens: ['instance', 'az'],
    }),
    make('DcsimHostOnOneFeed', {
      severity: 'info',
      // When the whole zone has lost a feed, that is told once.
      expr: withLabels(
        filter(oneFeed, 'and', zoneRedundant, ['az']),
        'dcsim_host_info',
        ['host'],
        ['name', 'rack'],
      ),
      holds: 20,
      key: ['host'],
      summary: 'A host lives on one power supply.',
      description:
        `Host {name} in rack {rack} of zone {az} has ${wholeNumber} live power feed left:` +
        ' when that goes, it goes too.',
      dashboard: 'host',
      opens: ['instance', 'host'],
    }),
  ]
}

function switches(make: DefineAlert, settings: Settings): Alert[] {
  const { conditionPoor } = settings.thresholds
  return [
    make('DcsimSwitchWithoutPower', {
      severity: 'warning',
      expr: withLabels(
        compare(metric('dcsim_switch_powered'), '==', 0),
        'dcsim_switch_info',
        ['switch'],
        ['name'],
      ),
      holds: 10,
      key: ['switch'],
      summary: 'A switch has no power.',
      description: 'The {role} switch {name} in zone {az} has no power.',
      dashboard: 'network',
      opens: ['instance', 'az'],
    }),
    make('DcsimSwitchWornOut', {
      severity: 'info',
      expr: withLabels(
        compare(metric('dcsim_switch_condition_ratio'), '<', conditionPoor),
        'dcsim_switch_info',
        ['switch'],
        ['name'],
      ),
      holds: 60,
      key: ['switch'],
      summary: 'A switch is worn out.',
      description: `The {role} switch {name} in zone {az} is at ${percent} of the condition of a new one.`,
      dashboard: 'network',
      opens: ['instance', 'az'],
    }),
  ]
}

export function hardwareRules(settings: Settings): RuleGroup {
  const make = alertDefiner(settings, subject)
  return { subject, recordings: [], alerts: [...hosts(make, settings), ...switches(make, settings)] }
}
