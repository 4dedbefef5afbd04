/** The chart by its files; what Helm makes of it is in helm.test.ts. */
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { fileText, root, stack } from '../containers/stack-file.ts'
import { chartReadme, chartValues } from './chart-readme.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
}

const folder = 'deploy/helm/dcsim-mirror'
const chart = parse(fileText(`${folder}/Chart.yaml`)) as {
  readonly version: string
  readonly appVersion: string
  readonly icon: string
  readonly maintainers: readonly { readonly name: string }[]
  readonly annotations: Readonly<Record<string, string>>
}

test('the chart is of the version of the mirror', () => {
  const [, tag] = stack.services['mirror'].image.split(':')
  expect([chart.version, chart.appVersion]).toStrictEqual([tag, tag])
})

test('the chart names license and maintainers as the project does, and has its icon in itself', () => {
  const { license } = JSON.parse(fileText('package.json')) as { license: string }
  expect(chart.annotations['artifacthub.io/license']).toBe(license)
  for (const { name } of chart.maintainers)
    expect(fileText('LICENSE')).toContain(`Copyright (c) 2026 ${name}\n`)
  const [, image] = /^data:image\/svg\+xml;base64,(.+)$/.exec(chart.icon)!
  expect(Buffer.from(image, 'base64').toString()).toMatch(
    /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*<\/svg>\n$/,
  )
})

test('the chart has the rules and dashboards that the programs write, not copies', () => {
  for (const [link, target] of [
    ['rules/capacity.rules.yaml', 'alerts/generated/capacity.rules.yaml'],
    ['dashboards/dcsim-session.json', 'dashboards/generated/dcsim-session.json'],
  ])
    expect(fileText(`${folder}/files/${link}`)).toBe(fileText(target))
})

test('the README of the chart lists its values (npm run node test/deploy/chart-readme.ts)', () => {
  const { actual, expected } = chartReadme()
  expect(actual).toBe(expected)
})

test('each value of the chart has a comment, and the schema knows it', () => {
  const values = chartValues()
  expect(values.filter(({ meaning }) => !/^[A-Z].*\S/.test(meaning))).toStrictEqual([])
  const leavesOf = ([name, { properties }]: [string, Schema]): string[] =>
    properties === undefined
      ? [name]
      : Object.entries(properties).flatMap(([key, schema]) => leavesOf([`${name}.${key}`, schema]))
  const schema = JSON.parse(fileText(`${folder}/values.schema.json`)) as Required<Schema>
  const known = Object.entries(schema.properties).flatMap(leavesOf)
  // Helm gives every chart the values that a parent chart has in common.
  expect(known.toSorted()).toStrictEqual([...values.map(({ path }) => path), 'global'].toSorted())
})

test('each value of the chart is read by a template', () => {
  const templates = `${folder}/templates`
  const text = readdirSync(new URL(templates, root))
    .filter((name) => /\.(?:yaml|tpl)$/.test(name))
    .map((name) => fileText(`${templates}/${name}`))
    .join('\n')
  const isRead = (path: string): boolean => {
    const keys = path.split('.')
    return [`.Values.${keys[0]}`, `.${keys.at(-1)}`].every((name) => new RegExp(`\\${name}\\b`).test(text))
  }
  expect(chartValues().filter(({ path }) => !isRead(path))).toStrictEqual([])
})

test('the grafana-operator installs the plugin of the version that the stack has', () => {
  const [name, version] = stack.services['grafana'].environment!['GF_PLUGINS_PREINSTALL_SYNC'].split('@')
  expect(fileText(`${folder}/templates/data-source.yaml`)).toContain(
    `- name: ${name}\n      version: ${version}\n`,
  )
})
