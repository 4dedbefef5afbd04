import { VariableType } from '@grafana/grafana-foundation-sdk/dashboard'
import type { Dashboard, Panel, RowPanel } from '@grafana/grafana-foundation-sdk/dashboard'
import type { Manifest } from '@grafana/grafana-foundation-sdk/resource'
import { businessPage } from './pages/business.ts'
import { computePage } from './pages/compute.ts'
import { chronicleDashboard } from './pages/chronicle.ts'
import { comparePage } from './pages/compare.ts'
import { customerPage } from './pages/customer.ts'
import { customersPage } from './pages/customers.ts'
import { devicePage } from './pages/device.ts'
import { growthPage } from './pages/growth.ts'
import { floorPage } from './pages/floor.ts'
import { hostPage } from './pages/host.ts'
import { identified } from './identity.ts'
import { incidentPage } from './pages/incident.ts'
import { incidentsPage } from './pages/incidents.ts'
import { mirrorPage } from './pages/mirror.ts'
import { networkPage } from './pages/network.ts'
import { powerPage } from './pages/power.ts'
import { rackPage } from './pages/rack.ts'
import { securityPage } from './pages/security.ts'
import { sessionPage } from './pages/session.ts'
import { slaPage } from './pages/sla.ts'
import { trendsPage } from './pages/trends.ts'
import { dashboardUids } from './uids.ts'
import type { DashboardUid } from './uids.ts'

const dashboards: Readonly<Record<DashboardUid, () => Dashboard>> = {
  'dcsim-session': sessionPage,
  'dcsim-floor': floorPage,
  'dcsim-incidents': incidentsPage,
  'dcsim-incident': incidentPage,
  'dcsim-chronicle': chronicleDashboard,
  'dcsim-network': networkPage,
  'dcsim-device': devicePage,
  'dcsim-power': powerPage,
  'dcsim-rack': rackPage,
  'dcsim-compute': computePage,
  'dcsim-host': hostPage,
  'dcsim-customers': customersPage,
  'dcsim-customer': customerPage,
  'dcsim-security': securityPage,
  'dcsim-business': businessPage,
  'dcsim-growth': growthPage,
  'dcsim-trends': trendsPage,
  'dcsim-sla': slaPage,
  'dcsim-compare': comparePage,
  'dcsim-mirror': mirrorPage,
}

/** A requirement of a dashboard, which Grafana's manual import shows. */
interface Requirement {
  readonly type: 'grafana' | 'datasource' | 'panel'
  readonly id: string
  readonly name: string
  readonly version: string
}

const grafana: Requirement = { type: 'grafana', id: 'grafana', name: 'Grafana', version: '12.0.0' }
const prometheus: Requirement = { type: 'datasource', id: 'prometheus', name: 'Prometheus', version: '1.0.0' }
const infinity: Requirement = {
  type: 'datasource',
  id: 'yesoreyeram-infinity-datasource',
  name: 'Infinity',
  version: '3.11.2',
}

const isRow = (panel: Panel | RowPanel): panel is RowPanel => panel.type === 'row'

/** An input that Grafana's manual import requests. */
interface Input {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly type: 'datasource'
  readonly pluginId: string
  readonly pluginName: string
}

interface File extends Dashboard {
  readonly __inputs: readonly Input[]
  readonly __requires: readonly Requirement[]
}

/** The labels that identify a target besides its job, instance and session. */
type Identity = readonly string[]

function file(uid: DashboardUid, identity: Identity): File {
  const model = identified(dashboards[uid](), identity)
  const panels = (model.panels ?? []).filter((panel) => !isRow(panel))
  const asksInfinity = panels.some(({ datasource }) => datasource?.type === infinity.id)
  const requires = [grafana, prometheus, ...(asksInfinity ? [infinity] : [])]
  return { __inputs: [], __requires: requires, ...model }
}

const jsonText = (made: object): string => `${JSON.stringify(made, null, 2)}\n`
const byName = (textOf: (uid: DashboardUid) => string): Map<string, string> =>
  new Map(dashboardUids.map((uid) => [`${uid}.json`, textOf(uid)]))

const generatedDashboard = (uid: DashboardUid, identity: Identity = []): string =>
  jsonText(file(uid, identity))

/** Files of dashboards by name. Data sources are variables, so that importing them needs no input. */
export const generatedDashboards = (identity: Identity = []): Map<string, string> =>
  byName((uid) => generatedDashboard(uid, identity))

const askedFor: Input = {
  name: 'DS_PROMETHEUS',
  label: 'Prometheus',
  description: 'The Prometheus that scrapes the mirror.',
  type: 'datasource',
  pluginId: prometheus.id,
  pluginName: prometheus.name,
}

/**
 * The same for a manual import into a Grafana with several Prometheus data sources: the import requests one, which the
 * dashboard selects by default. Infinity is not requested, as an import would then fail in a Grafana without it.
 */
export const importableDashboards = (identity: Identity = []): Map<string, string> =>
  byName((uid) => {
    const asking = { ...file(uid, identity), __inputs: [askedFor] }
    const datasourceInput = `\${${askedFor.name}}`
    const sources = (asking.templating.list ?? []).filter(({ type }) => type === VariableType.Datasource)
    for (const source of sources.filter(({ query }) => query === prometheus.id))
      source.current = { text: datasourceInput, value: datasourceInput }
    return jsonText(asking)
  })

/**
 * The same as manifests of Grafana's own API, for Git Sync and gcx. Both set the folder by where they put a dashboard, and
 * ask for nothing.
 */
export const dashboardManifests = (identity: Identity = []): Map<string, string> =>
  byName((uid) => {
    const { __inputs: _, __requires: __, uid: ___, ...spec } = file(uid, identity)
    const manifest: Manifest = {
      apiVersion: 'dashboard.grafana.app/v1beta1',
      kind: 'Dashboard',
      metadata: { name: uid },
      spec,
    }
    return jsonText(manifest)
  })
