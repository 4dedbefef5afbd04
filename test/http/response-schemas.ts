import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { openApiDocument } from '../../src/http/openapi/document.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addFormat('int64', true)
ajv.addSchema(openApiDocument('1.2.3'), 'openapi')

const escape = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))

/** The compiled schema at a path within the description. */
export function schemaAt(...keys: readonly string[]) {
  const validate = ajv.getSchema(`openapi#/${keys.map(escape).join('/')}`)
  if (validate === undefined) throw new Error(`The description has nothing at ${keys.join(' ')}.`)
  return validate
}

/** Violations of the description in the body of a successful response of a path template. */
export function violationsOf(path: string, body: string): unknown {
  const validate = schemaAt('paths', path, 'get', 'responses', '200', 'content', 'application/json', 'schema')
  return validate(JSON.parse(body)) === true ? [] : validate.errors
}
