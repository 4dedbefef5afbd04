import { by, calculate, compare, either, filter, metric, withLabels } from '../promql.ts'
import type { Expr, TargetLabel } from '../promql.ts'
import { alertDefiner } from '../rule.ts'
import type { Alert, DefineAlert, RuleGroup } from '../rule.ts'
import type { Settings } from '../settings.ts'
import { percent } from '../annotation-text.ts'

const subject = 'security'

const customerName = <L extends string>(expr: Expr<L | 'customer' | TargetLabel>) =>
  withLabels(expr, 'dcsim_customer_info', ['customer'], ['name', 'tier'])

/**
 * What the last line of defence lets through, by class. Hostile traffic meets one kind of appliance after the
 * other, so the kind that lets least through is the last one.
 */
function leftOver(): Expr<'class' | TargetLabel> {
  const met = compare(metric('dcsim_appliance_threat_reaching'), '>', 0)
  const residual = filter(metric('dcsim_appliance_threat_residual'), 'and', met, ['appliance', 'class'])
  const byKind = withLabels(residual, 'dcsim_appliance_info', ['appliance'], ['kind'])
  const behind = by('min', by('sum', byKind, ['class', 'kind']), ['class'])
  return either(behind, by('sum', metric('dcsim_gateway_threat_residual'), ['class']))
}

function victims(make: DefineAlert): Alert[] {
  const attacked = by('max', metric('dcsim_customer_attack'), ['customer', 'class'])
  return [
    make('DcsimCustomerBreached', {
      severity: 'critical',
      expr: customerName(by('max', compare(metric('dcsim_customer_breached'), '==', 1), ['customer'])),
      key: ['customer'],
      summary: 'Intruders are in the systems of a customer.',
      description: 'Intruders got into the systems of {name} ({tier}) and are not out yet.',
      dashboard: 'customer',
      opens: ['instance', 'customer'],
    }),
    make('DcsimCustomerUnderAttack', {
      severity: 'info',
      expr: customerName(attacked),
      key: ['customer', 'class'],
      summary: 'A customer is under attack.',
      description: '{name} ({tier}) is under attack. Class of the attack: {class}.',
      dashboard: 'security',
      opens: ['instance'],
    }),
  ]
}

function defences(make: DefineAlert, settings: Settings): Alert[] {
  const { defenceLoadHigh, threatResidualHigh } = settings.thresholds
  const stopped = metric('dcsim_appliance_threat_mitigated')
  const canStop = compare(metric('dcsim_appliance_threat_capacity'), '>', 0)
  const open = by('max', metric('dcsim_gateway_firewall_enabled'), ['gateway', 'az'])
  const through = filter(
    compare(
      calculate(leftOver(), '/', by('sum', metric('dcsim_gateway_threat_reaching'), ['class'])),
      '>',
      threatResidualHigh,
    ),
    'and',
    by('count', metric('dcsim_customer_attack'), ['class']),
    ['class'],
  )
  return [
    make('DcsimAttackGetsThrough', {
      severity: 'critical',
      expr: through,
      holds: 10,
      key: ['class'],
      summary: 'An attack gets through the defences.',
      description: `Of the {class} attack on customers of {instance}, ${percent} gets through all defences.`,
      dashboard: 'security',
      opens: ['instance'],
    }),
    make('DcsimDefenceNearlyFull', {
      severity: 'warning',
      expr: withLabels(
        compare(calculate(stopped, '/', canStop), '>', defenceLoadHigh),
        'dcsim_appliance_info',
        ['appliance'],
        ['name', 'az'],
      ),
      holds: 10,
      key: ['appliance', 'class'],
      summary: 'A defence stops nearly all that it can stop.',
      description: `{name} in zone {az} is at ${percent} of what it can stop of class {class}.`,
      dashboard: 'security',
      opens: ['instance'],
    }),
    make('DcsimGatewayFirewallOff', {
      severity: 'warning',
      expr: withLabels(compare(open, '==', 0), 'dcsim_gateway_info', ['gateway'], ['name']),
      holds: 20,
      key: ['gateway'],
      summary: 'The firewall of a gateway is switched off.',
      description: 'The built-in firewall of gateway {name} in zone {az} is switched off.',
      dashboard: 'security',
      opens: ['instance'],
    }),
  ]
}

export function securityRules(settings: Settings): RuleGroup {
  const make = alertDefiner(settings, subject)
  return { subject, recordings: [], alerts: [...victims(make), ...defences(make, settings)] }
}
