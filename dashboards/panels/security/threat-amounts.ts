import { by, calculate, compare, either, filter, share } from '../../../promql/expressions.ts'
import type { Expr } from '../../../promql/expressions.ts'
import type { TargetLabel } from '../../../promql/metrics.ts'
import { threatBaseUnits } from '../../../src/metrics/families/threats.ts'
import type { ThreatUnit } from '../../../src/metrics/families/threats.ts'
import { bytesToBits, gauge, withNames } from '../../queries/series.ts'

type Device = 'gateway' | 'appliance'
type Amount = 'reaching' | 'mitigated' | 'residual' | 'capacity'
type Of<D extends Device> = Expr<D | 'class' | TargetLabel>

/** An amount of hostile traffic, floods in bits. Each class has a unit of its own. */
export function threatAmount<D extends Device>(
  device: D,
  amount: Amount,
  units: readonly ThreatUnit[] = threatBaseUnits,
): Of<D> {
  const [first, ...others] = units.map((unit) => {
    const counted = gauge(`dcsim_${device}_threat_${amount}_${unit}`) as Expr<never> as Of<D>
    return unit === 'bytes_per_second' ? bytesToBits(counted) : counted
  })
  return others.length === 0 ? first : either(first, ...others)
}

/**
 * Hostile traffic on its way through the lines of defense, by class. Each class has its own unit, so that only shares
 * can be compared.
 */
export function hostileTraffic(units?: readonly ThreatUnit[]) {
  /** Kinds of appliances are in series: a sum over all of them would count traffic twice. */
  const byKind = (amount: Amount) => {
    const met = compare(threatAmount('appliance', 'reaching', units), '>', 0)
    const seen = filter(threatAmount('appliance', amount, units), 'and', met, ['appliance', 'class'])
    return by('sum', withNames(seen, 'dcsim_appliance_info', ['appliance'], ['kind']), ['class', 'kind'])
  }
  const sum = (device: Device, amount: Amount) =>
    by('sum', threatAmount<Device>(device, amount, units), ['class'])
  const stoppedAtGateways = sum('gateway', 'mitigated')
  const stoppedAtAppliances = sum('appliance', 'mitigated')
  return {
    arriving: sum('gateway', 'reaching'),
    stoppedAtGateways,
    stoppableAtGateways: sum('gateway', 'capacity'),
    /** Traffic that arrives at the first kind of appliance. */
    meetingAppliances: either(by('max', byKind('reaching'), ['class']), sum('appliance', 'reaching')),
    stoppedAtAppliances,
    stoppableAtAppliances: sum('appliance', 'capacity'),
    stopped: either(calculate(stoppedAtGateways, '+', stoppedAtAppliances), stoppedAtGateways),
    /** Residual traffic after the last kind of appliance; for a class without appliances, after the gateways. */
    gettingThrough: either(by('min', byKind('residual'), ['class']), sum('gateway', 'residual')),
  }
}

const { gettingThrough, arriving } = hostileTraffic()
export const shareGettingThrough = share(gettingThrough, arriving)
