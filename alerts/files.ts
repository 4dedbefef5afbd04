import { ruleGroups } from './catalogue.ts'
import type { RuleGroup } from './rule.ts'
import type { Settings } from './settings.ts'
import { yamlText } from './yaml.ts'
import type { Yaml } from './yaml.ts'

const madeBy = '# Made by `npm run alerts`. Change alerts/*.ts or a --config file, not this.\n'

const groupYaml = ({ subject, recordings, alerts }: RuleGroup): Yaml => ({
  name: `dcsim-${subject}`,
  rules: [
    ...recordings.map(
      ({ record, expr, labels }): Yaml => ({
        record,
        expr,
        labels: Object.keys(labels).length === 0 ? null : labels,
      }),
    ),
    ...alerts.map(
      ({ alert, expr, for: held, labels, annotations }): Yaml => ({
        alert,
        expr,
        for: held,
        labels,
        annotations: { ...annotations },
      }),
    ),
  ],
})

/** What is written, by file name: rules for Prometheus by subject, and all of them for the Prometheus operator. */
export function generatedFiles(settings: Settings): ReadonlyMap<string, string> {
  const groups = ruleGroups(settings).filter(
    ({ recordings, alerts }) => recordings.length + alerts.length > 0,
  )
  const files = groups.map((group): [string, string] => [
    `${group.subject}.rules.yaml`,
    madeBy + yamlText({ groups: [groupYaml(group)] }),
  ])
  const manifest = yamlText({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'dcsim', labels: { 'app.kubernetes.io/name': 'dcsim-mirror' } },
    spec: { groups: groups.map(groupYaml) },
  })
  return new Map([...files, ['prometheus-rule.yaml', madeBy + manifest]])
}
