import type { Settings } from './settings.ts'
import { targetLabels } from './promql.ts'

/** While an alert of the source fires, alerts of the target with equal labels notify nobody. */
interface Inhibition {
  readonly source_matchers: readonly string[]
  readonly target_matchers: readonly string[]
  readonly equal: readonly string[]
}

/** What `inhibit_rules` is in the configuration of Alertmanager. */
export function inhibitions({ identity }: Settings): Inhibition[] {
  const target = [...targetLabels, ...identity]
  const graver = (thing: string, over: string, under: string): Inhibition => ({
    source_matchers: [`severity="${over}"`, `${thing}=~".+"`],
    target_matchers: [`severity=~"${under}"`, `${thing}=~".+"`],
    equal: [...target, thing],
  })
  return [
    {
      // A target that is down inhibits the alerts about its world.
      source_matchers: ['alertname="DcsimMirrorDown"'],
      target_matchers: ['alertname!~"Dcsim(MirrorDown|MirrorAbsent|Watchdog)"'],
      equal: target,
    },
    // critical over warning over info, for the same thing. A label that both lack would count as equal.
    ...['incident', 'customer', 'host', 'switch'].flatMap((thing) => [
      graver(thing, 'critical', 'warning|info'),
      graver(thing, 'warning', 'info'),
    ]),
    {
      source_matchers: ['alertname="DcsimSlaBudgetBurnsFast"'],
      target_matchers: ['alertname="DcsimSlaBudgetBurnsSlowly"'],
      equal: [...target, 'tier'],
    },
    {
      // The failure of a whole zone explains failures within it.
      source_matchers: [
        'alertname=~"Dcsim(PowerFeedDown|ZoneAnnouncesNoRoutes|ZoneHostsDown|ZoneOverheats)"',
      ],
      target_matchers: ['severity=~"warning|info"', 'az=~".+"'],
      equal: [...target, 'az'],
    },
  ]
}
