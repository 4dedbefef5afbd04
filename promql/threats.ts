import { threatBaseUnits } from '../src/metrics/families/threats.ts'
import { either, metric } from './expressions.ts'
import type { Expr } from './expressions.ts'
import type { TargetLabel } from './metrics.ts'

type Device = 'gateway' | 'appliance'
type Amount = 'reaching' | 'mitigated' | 'residual' | 'capacity'

/** Hostile traffic of all classes. Each is counted in a unit of its own, so that only shares of it can be compared. */
export function threatSeries<D extends Device>(device: D, amount: Amount): Expr<D | 'class' | TargetLabel> {
  const [first, ...others] = threatBaseUnits.map(
    (unit) =>
      metric(`dcsim_${device}_threat_${amount}_${unit}`) as Expr<never> as Expr<D | 'class' | TargetLabel>,
  )
  return either(first, ...others)
}
