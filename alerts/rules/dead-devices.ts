import { by, compare, either, filter, metric, relabeled } from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import type { TargetLabel } from '../../promql/metrics.ts'

/** Devices that are down, by their names in the ends of links. */
const deadDevices = (): Expr<'device' | TargetLabel> =>
  either(
    by('max', relabeled(compare(metric('dcsim_switch_up'), '==', 0), 'device', 'Switch/$1', 'switch'), [
      'device',
    ]),
    by('max', relabeled(compare(metric('dcsim_gateway_up'), '==', 0), 'device', 'Gateway/$1', 'gateway'), [
      'device',
    ]),
    by(
      'max',
      relabeled(compare(metric('dcsim_appliance_up'), '==', 0), 'device', 'Appliance/$1', 'appliance'),
      ['device'],
    ),
  )

/** Links to a device that is down. */
export function linkAtDeadDevice(): Expr<'link' | TargetLabel> {
  const links = metric('dcsim_link_info')
  const ends = either(relabeled(links, 'device', '$1', 'a'), relabeled(links, 'device', '$1', 'b'))
  return by('max', filter(ends, 'and', deadDevices(), ['device']), ['link'])
}
