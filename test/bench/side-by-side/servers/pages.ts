/** A page of records, served by Fastify as its documentation shows: as it is, and with a schema of the response. */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

const [, , port, pageFile, openApiFile] = process.argv
const page: unknown = JSON.parse(readFileSync(pageFile, 'utf8'))

interface Described {
  readonly get: {
    readonly responses: { readonly 200: { readonly content: Readonly<Record<string, { schema: object }>> } }
  }
}
interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
  readonly paths: Readonly<Record<string, Described>>
}
/** Fastify names shared schemas by their id. */
const { components, paths } = JSON.parse(
  readFileSync(openApiFile, 'utf8').replaceAll(/"#\/components\/schemas\/(\w+)"/g, '"$1#"'),
) as Document

const fastify = Fastify({ ajv: { customOptions: { strict: false } } })
for (const [id, schema] of Object.entries(components.schemas)) fastify.addSchema({ $id: id, ...schema })
const { schema } = paths['/api/v1/hosts'].get.responses[200].content['application/json']
fastify.get('/plain', async () => page)
fastify.get('/schema', { schema: { response: { 200: schema } } }, async () => page)
await fastify.listen({ port: Number(port) })
