/** Validates each dashboard with the JSON schema of dashboards in the SDK's repository. */
import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { committedFiles } from './dashboard-json.ts'
import { commandLine, exitWithUsage } from '../fixtures/command-line.ts'

interface Definition {
  readonly properties?: Record<string, { type?: string }>
}

/**
 * Places where Grafana accepts any type and the schema requires an object: the matcher `byName` and the property `unit`
 * have texts there.
 */
const leftOpen = [
  ['MatcherConfig', 'options'],
  ['DynamicConfigValue', 'value'],
] as const

/** Keys of files for manual import only, which Grafana removes. */
const onlyToImport = ['__inputs', '__requires']

const usage = `npm run node test/dashboards/schema.ts -- FILE

Holds each dashboard against the JSON schema of dashboards. FILE is jsonschema/dashboard.jsonschema.json of
github.com/grafana/grafana-foundation-sdk, which its package does not bring.`

const { positionals } = commandLine(usage, { allowPositionals: true, options: {} })
const [file, ...others] = positionals
if (file === undefined || others.length > 0)
  exitWithUsage(usage, `Expected the file of a JSON schema, got ${positionals.join(' ') || 'nothing'}.`)
const schema = JSON.parse(readFileSync(file, 'utf8')) as {
  definitions?: Record<string, Definition>
}
for (const [definition, property] of leftOpen) {
  const stated = schema.definitions?.[definition]?.properties?.[property]
  if (stated === undefined) throw new Error(`${file} has no ${definition}.${property}: is it the schema?`)
  if (stated.type !== 'object')
    throw new Error(`${definition}.${property} is open: nothing is to be widened.`)
  delete stated.type
}

const isValid = new Ajv({ strict: false, allErrors: true, formats: { 'date-time': true } }).compile(schema)
let violations = 0
for (const [name, text] of committedFiles) {
  const dashboard = JSON.parse(text) as Record<string, unknown>
  for (const key of onlyToImport) delete dashboard[key]
  if (isValid(dashboard)) console.log(`${name}: valid`)
  for (const { instancePath, message, params } of isValid.errors ?? []) {
    violations++
    console.log(`${name}${instancePath} ${message} ${JSON.stringify(params)}`)
  }
}
console.log(`${committedFiles.size} dashboards, ${violations} violations.`)
if (violations > 0) process.exitCode = 1
