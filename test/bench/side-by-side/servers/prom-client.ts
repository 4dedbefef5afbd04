/** The samples of an exposition, served by prom-client and Fastify as their documentation shows. */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { Counter, Gauge, register } from 'prom-client'

const [, , port, file] = process.argv
const exposition = readFileSync(file, 'utf8')
const counters = new Set(Array.from(exposition.matchAll(/^# TYPE (\S+) counter$/gm), ([, name]) => name))
const escapes: Readonly<Record<string, string>> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' }

function labelsOf(text: string): Record<string, string> {
  const pairs = Array.from(text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, label, value]) => [
    label,
    value.replaceAll(/\\["\\n]/g, (escape) => escapes[escape]),
  ])
  return Object.fromEntries(pairs) as Record<string, string>
}

const samples = exposition
  .matchAll(/^(?<name>\w+)(?:\{(?<text>.*)\})? +(?<value>\S+)$/gm)
  .map(({ groups }) => ({
    name: groups!['name'],
    labels: labelsOf(groups!['text'] ?? ''),
    value: groups!['value'],
  }))

/** A function for each sample that changes it. Parts of a histogram are gauges, as their values are given. */
const changes = [...Map.groupBy(samples, ({ name }) => name)].flatMap(([name, found]) => {
  const labelNames = [...new Set(found.flatMap(({ labels }) => Object.keys(labels)))]
  const metric = new (counters.has(name) ? Counter : Gauge)({ name, help: name, labelNames })
  return found.map(({ labels, value }) => {
    metric.inc(labels, Number(value))
    return () => metric.inc(labels)
  })
})

/** A quarter of the samples change each second. */
let second = 0
setInterval(() => {
  second++
  for (let at = second % 4; at < changes.length; at += 4) changes[at]()
}, 1_000)

const fastify = Fastify()
fastify.get('/metrics', async (_request, reply) => {
  reply.header('Content-Type', register.contentType)
  return register.metrics()
})
await fastify.listen({ port: Number(port) })
