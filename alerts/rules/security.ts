import { by, calculate, compare, either, filter, metric, withLabels } from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import type { TargetLabel } from '../../promql/metrics.ts'
import { threatSeries } from '../../promql/threats.ts'
import { alertDefiner } from '../rule.ts'
import type { Alert, DefineAlert, RuleGroup } from '../rule.ts'
import type { AlertSettings } from '../settings.ts'
import { inWords, valueAsPercent } from '../annotation-text.ts'
import { threatClasses } from '../../src/contract/vocabularies.ts'
import { threatWords } from '../../src/words/vocabulary.ts'
import { customerName, gatewayName } from './names.ts'

const subject = 'security'
const opensDevice = ['instance', 'name'] as const

const attackWords = inWords('class', threatClasses, threatWords)

/**
 * Residual traffic after the last line of defense, by class. Hostile traffic passes one kind of appliance after the
 * other, so the kind with the smallest residual is the last one.
 */
function leftOver(): Expr<'class' | TargetLabel> {
  const met = compare(threatSeries('appliance', 'reaching'), '>', 0)
  const residual = filter(threatSeries('appliance', 'residual'), 'and', met, ['appliance', 'class'])
  const byKind = withLabels(residual, metric('dcsim_appliance_info'), ['appliance'], ['kind'])
  const behind = by('min', by('sum', byKind, ['class', 'kind']), ['class'])
  return either(behind, by('sum', threatSeries('gateway', 'residual'), ['class']))
}

function victims(make: DefineAlert): Alert[] {
  const attacked = by('max', metric('dcsim_customer_attack_info'), ['customer', 'class'])
  return [
    make('DcsimCustomerBreached', {
      severity: 'warning',
      expr: customerName(by('max', compare(metric('dcsim_customer_breached'), '==', 1), ['customer'])),
      key: ['customer'],
      subject: '{name}',
      summary: 'Intruders are in the systems of {name} ({tier})',
      description:
        'The trust of {name} and SLA credits are at stake until they are out.' +
        ' Check who cleans up its units, and what let the intruders in.',
      dashboard: 'customer',
      opens: ['instance', 'customer'],
    }),
    make('DcsimCustomerUnderAttack', {
      severity: 'info',
      expr: customerName(compare(attacked, '==', 1)),
      keepFiringSeconds: 60,
      key: ['customer', 'class'],
      subject: '{name}',
      summary: `{name} ({tier}) is under attack: ${attackWords}`,
      description:
        'The Security dashboard shows how much of the attack on {name} each defense stops, and what remains.',
      dashboard: 'security',
      opens: ['instance'],
    }),
  ]
}

function defenses(make: DefineAlert, settings: AlertSettings): Alert[] {
  const { defenseLoadHigh, threatResidualHigh } = settings.thresholds
  const stopped = threatSeries('appliance', 'mitigated')
  const canStop = compare(threatSeries('appliance', 'capacity'), '>', 0)
  const open = by('max', metric('dcsim_gateway_firewall_enabled'), ['gateway', 'az'])
  const through = filter(
    compare(
      calculate(leftOver(), '/', by('sum', threatSeries('gateway', 'reaching'), ['class'])),
      '>',
      threatResidualHigh,
    ),
    'and',
    by('count', metric('dcsim_customer_attack_info'), ['class']),
    ['class'],
  )
  return [
    make('DcsimAttackGetsThrough', {
      // The incident reports affected customers and impact.
      severity: 'info',
      expr: through,
      forSeconds: 10,
      keepFiringSeconds: 60,
      key: ['class'],
      summary: `Defenses let ${valueAsPercent} of the ${attackWords} through`,
      description:
        'Check on the Security dashboard of {world} which defense is full or off, and add to it.' +
        ' The incident shows whom the attack affects.',
      dashboard: 'security',
      opens: ['instance'],
    }),
    make('DcsimDefenseNearlyFull', {
      severity: 'info',
      expr: withLabels(
        compare(calculate(stopped, '/', canStop), '>', defenseLoadHigh),
        metric('dcsim_appliance_info'),
        ['appliance'],
        ['name', 'az', 'zone'],
      ),
      forSeconds: 10,
      keepFiringSeconds: 60,
      key: ['appliance', 'class'],
      subject: '{name}',
      summary: `Appliance {name} in {zone} is at ${valueAsPercent} of its mitigation capacity: ${attackWords}`,
      description:
        'Attack traffic beyond the capacity of {name} gets past it. Check how long the attack lasts, and what else stops it.',
      dashboard: 'device',
      opens: opensDevice,
    }),
    make('DcsimGatewayFirewallOff', {
      severity: 'warning',
      expr: gatewayName(compare(open, '==', 0)),
      forSeconds: 20,
      key: ['gateway'],
      subject: '{name}',
      summary: 'The firewall of gateway {name} in {zone} is off',
      description:
        'Traffic that the built-in firewall of {name} blocked now gets through. Switch it on, unless this is intended.',
      dashboard: 'device',
      opens: opensDevice,
    }),
  ]
}

export function securityRules(settings: AlertSettings): RuleGroup {
  const make = alertDefiner(settings, subject)
  return { subject, recordings: [], alerts: [...victims(make), ...defenses(make, settings)] }
}
