import { generatedDashboards } from '../../dashboards/all.ts'
import { panelsOf, placeOf } from './dashboard-json.ts'
import type { DashboardJson } from './dashboard-json.ts'
import { filled } from './filled.ts'

interface PanelQuery {
  readonly place: string
  readonly expr: string
  readonly isInstant: boolean
}

/** Every Prometheus query of every panel, generated with these labels in the identity. */
export function panelQueries(identity: readonly string[]): PanelQuery[] {
  const dashboards = [...generatedDashboards(identity).values()].map(
    (text) => JSON.parse(text) as DashboardJson,
  )
  // The dashboard that compares sessions shows all of them.
  const ofOneSession = dashboards.filter(({ uid }) => uid !== 'dcsim-compare')
  return ofOneSession.flatMap((dashboard) =>
    panelsOf(dashboard).flatMap((panel) =>
      (panel.targets ?? []).flatMap((target) =>
        target.expr === undefined
          ? []
          : [
              {
                place: placeOf(dashboard, panel, target),
                expr: target.expr,
                isInstant: target.instant === true,
              },
            ],
      ),
    ),
  )
}

export interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: number
}

type Ask = (expr: string) => Promise<readonly Sample[]>
type Values = Readonly<Record<string, string>>

/** Sums in another order differ in their last digits. */
const digits = 10

const written = ({ metric, value }: Sample): string =>
  JSON.stringify([Object.entries(metric).toSorted(([a], [b]) => (a < b ? -1 : 1)), value.toPrecision(digits)])

/** Selects every value of the variables that select one. */
const allOf = (expr: string, names: readonly string[]): string =>
  names.reduce((text, name) => text.replaceAll(`${name}="$${name}"`, `${name}=~".*"`), expr)

/**
 * The errors of a query over several worlds in one store: for each world it must find series of that world only, and
 * for all together the same series, none of them summed. Queries for the highest values choose among all.
 */
export async function confusions(
  { place, expr }: PanelQuery,
  ask: Ask,
  worlds: readonly Values[],
): Promise<string[]> {
  const found: string[] = []
  const names = Object.keys(worlds[0])
  const apart: string[] = []
  const common = { job: '.+', instance: '.+', zone: '.+', row: '.+', pool: '.+', tier: '.+', band: '.+' }
  const lookedUp = {
    rack_hosts: '.+',
    incident_hosts: '.+',
    incident_customers: '.+',
    device_id: '.+',
    attacked: '.+',
    losing_frames: '.+',
    flapping: '.+',
    least_satisfied: '.+',
    slowest: '.+',
    failing_most: '.+',
    busiest: '.+',
    contended: '.+',
  }
  const one = { host: '1', customer: '1', incident: '1', rack: '1', device: 'no such device' }
  for (const world of worlds) {
    const samples = await ask(filled(expr, { ...common, ...lookedUp, ...one, ...world }))
    const isForeign = ({ metric }: Sample): boolean => names.some((name) => metric[name] !== world[name])
    if (samples.some(isForeign)) found.push(`${place}: a series of another world, or of none`)
    apart.push(...samples.map(written))
  }
  const both = filled(allOf(expr, names), { ...common, ...lookedUp, ...one })
  const together = (await ask(both)).map(written)
  if (!/\b(?:top|bottom)k\(/.test(expr) && together.toSorted().join('\n') !== apart.toSorted().join('\n'))
    found.push(`${place}: not what each world has, when all are asked for`)
  return found
}
