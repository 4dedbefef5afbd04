import { calculate, compare, filter, metric } from '../../promql/expressions.ts'
import { alertDefiner } from '../rule.ts'
import type { Alert, DefineAlert, RuleGroup } from '../rule.ts'
import type { AlertSettings } from '../settings.ts'
import { inWords, lookup, valueAsPercent } from '../annotation-text.ts'
import { applianceKinds } from '../../src/contract/vocabularies.ts'
import { applianceWords } from '../../src/words/vocabulary.ts'
import { applianceName, gatewayName, hostName, switchName, zoneName } from './names.ts'

const subject = 'hardware'
const opensDevice = ['instance', 'name'] as const

function hosts(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { hostsOnlineShareLow, diskWearHigh } = settings.thresholds
  const online = calculate(metric('dcsim_az_hosts_online'), '/', metric('dcsim_az_hosts'))
  const oneFeed = compare(metric('dcsim_host_power_feeds_live'), '==', 1)
  const zoneRedundant = compare(metric('dcsim_az_power_redundant'), '==', 1)
  const down = compare(metric('dcsim_host_online'), '==', 0)
  const inMaintenance = compare(metric('dcsim_host_in_maintenance'), '==', 1)
  return [
    make('DcsimHostDown', {
      severity: 'warning',
      // A host under maintenance is down on purpose.
      expr: hostName(filter(down, 'unless', inMaintenance, ['host'])),
      forSeconds: 20,
      key: ['host'],
      subject: '{name}',
      summary: 'Host {name} in {zone} is down',
      description:
        'The host in rack {rack_name} does not run or cannot be reached.' +
        lookup('dcsim_host_units', ['host'], ' Units on it: {{ . | value | printf "%.0f" }}.') +
        ' Check its power and its switch first, then whether a work order replaces the failed part.',
      dashboard: 'host',
      opens: ['instance', 'host'],
    }),
    make('DcsimZoneHostsDown', {
      severity: 'warning',
      expr: zoneName(compare(online, '<', hostsOnlineShareLow)),
      forSeconds: 10,
      key: ['az'],
      subject: '{display_name}',
      summary: `{{ if eq $value 0.0 }}No host in {display_name} is up{{ else }}Only ${valueAsPercent} of the hosts in {display_name} are up{{ end }}`,
      description:
        'A common cause is likely: check power feeds, cooling and core switches of {display_name} before single hosts.',
      dashboard: 'compute',
      opens: ['instance', 'az'],
    }),
    make('DcsimHostOnOneFeed', {
      severity: 'info',
      // If the whole zone has lost a feed, one alert for the zone reports it.
      expr: hostName(filter(oneFeed, 'and', zoneRedundant, ['az'])),
      forSeconds: 20,
      key: ['host'],
      subject: '{name}',
      summary: 'Host {name} in {zone} runs on one power feed',
      description:
        'If the other feed of the host in rack {rack_name} fails, the host goes down. Have its power supply replaced.',
      dashboard: 'host',
      opens: ['instance', 'host'],
    }),
    make('DcsimDiskWearHigh', {
      severity: 'info',
      expr: hostName(compare(metric('dcsim_host_disk_wear_ratio'), '>', diskWearHigh)),
      forSeconds: 60,
      key: ['host'],
      subject: '{name}',
      summary: `Disks of host {name} in {zone} have used ${valueAsPercent} of their rated life`,
      description: 'Plan to replace the disks of this host in rack {rack_name} before they fail.',
      dashboard: 'host',
      opens: ['instance', 'host'],
    }),
  ]
}

/** A note on a device without power. */
const powerOf = (name: string, id: string): string => lookup(name, [id], ' It has no power.', ' == 0')

function devices(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { conditionPoor } = settings.thresholds
  return [
    make('DcsimSwitchDown', {
      severity: 'warning',
      expr: switchName(compare(metric('dcsim_switch_up'), '==', 0)),
      forSeconds: 10,
      key: ['switch'],
      subject: '{name}',
      summary: 'Switch {name} in {zone} is down',
      description:
        `All links of the {role} switch {name} are down with it.${powerOf('dcsim_switch_powered', 'switch')}` +
        ' Check which hosts lost their path, and whether a replacement is under way.',
      dashboard: 'device',
      opens: opensDevice,
    }),
    make('DcsimGatewayDown', {
      severity: 'warning',
      expr: gatewayName(compare(metric('dcsim_gateway_up'), '==', 0)),
      // The alert on the zone, which has no routes without its only gateway, comes first.
      forSeconds: 45,
      key: ['gateway'],
      subject: '{name}',
      summary: 'Gateway {name} in {zone} is down',
      description:
        `Traffic of {zone} has to enter through other gateways.${powerOf('dcsim_gateway_powered', 'gateway')}` +
        ' Check that they can carry it.',
      dashboard: 'device',
      opens: opensDevice,
    }),
    make('DcsimApplianceDown', {
      severity: 'warning',
      expr: applianceName(compare(metric('dcsim_appliance_up'), '==', 0)),
      forSeconds: 10,
      key: ['appliance'],
      subject: '{name}',
      summary: 'Appliance {name} in {zone} is down',
      description:
        `Traffic that {name} (${inWords('kind', applianceKinds, applianceWords)}) handled goes around it now or is dropped.` +
        `${powerOf('dcsim_appliance_powered', 'appliance')} The Security dashboard shows what gets through.`,
      dashboard: 'device',
      opens: opensDevice,
    }),
    make('DcsimSwitchWornOut', {
      severity: 'info',
      expr: switchName(compare(metric('dcsim_switch_condition_ratio'), '<', conditionPoor)),
      forSeconds: 60,
      key: ['switch'],
      subject: '{name}',
      summary: `Switch {name} in {zone} is worn out: condition ${valueAsPercent}`,
      description: 'The {role} switch {name} will fail more often than a new one. Plan its replacement.',
      dashboard: 'device',
      opens: opensDevice,
    }),
  ]
}

export function hardwareRules(settings: AlertSettings): RuleGroup {
  const make = alertDefiner(settings, subject)
  return { subject, recordings: [], alerts: [...hosts(make, settings), ...devices(make, settings)] }
}
