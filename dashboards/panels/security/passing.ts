import { by, calculate, compare, either, filter, share } from '../../../alerts/promql/expressions.ts'
import { gauge, withNames, gaugeSum } from '../../queries/series.ts'

const perClass = ['class', 'unit'] as const

/**
 * Hostile traffic on its way through the lines of defense, by class. Each class has its own unit, so that only shares
 * can be compared.
 */
export function hostileTraffic(where: { readonly class?: 'Volumetric' } = {}) {
  /** Kinds of appliances are in series: a sum over all of them would count traffic twice. */
  const byKind = (name: 'dcsim_appliance_threat_reaching' | 'dcsim_appliance_threat_residual') => {
    const met = compare(gauge('dcsim_appliance_threat_reaching', where), '>', 0)
    const seen = filter(gauge(name, where), 'and', met, ['appliance', 'class'])
    return by('sum', withNames(seen, 'dcsim_appliance_info', ['appliance'], ['kind']), [...perClass, 'kind'])
  }
  const stoppedAtGateways = gaugeSum('dcsim_gateway_threat_mitigated', perClass, where)
  const stoppedAtAppliances = gaugeSum('dcsim_appliance_threat_mitigated', perClass, where)
  return {
    arriving: gaugeSum('dcsim_gateway_threat_reaching', perClass, where),
    /** Traffic that arrives at the first kind of appliance. */
    meetingAppliances: either(
      by('max', byKind('dcsim_appliance_threat_reaching'), perClass),
      gaugeSum('dcsim_appliance_threat_reaching', perClass, where),
    ),
    stopped: either(calculate(stoppedAtGateways, '+', stoppedAtAppliances), stoppedAtGateways),
    /** Residual traffic after the last kind of appliance; for a class without appliances, after the gateways. */
    gettingThrough: either(
      by('min', byKind('dcsim_appliance_threat_residual'), perClass),
      gaugeSum('dcsim_gateway_threat_residual', perClass, where),
    ),
  }
}

const { gettingThrough, arriving } = hostileTraffic()
export const shareGettingThrough = share(gettingThrough, arriving)
