/** As much of the API of Kubernetes as kube-state-metrics needs to see pods that do not change. */
import { createServer } from 'node:http'
import pod from './pod.json' with { type: 'json' }

const [, , port, series] = process.argv
/** The series that kube-state-metrics makes of such a pod. */
const seriesPerPod = 41

const template = JSON.stringify(pod)
const items = Array.from({ length: Math.round(Number(series) / seriesPerPod) }, (_, index) =>
  template.replaceAll('INDEX', String(index).padStart(12, '0')),
)
const answers: Readonly<Record<string, string>> = {
  '/version': '{"major":"1","minor":"32","gitVersion":"v1.32.0"}',
  '/api/v1/pods': `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[${items.join()}]}`,
}

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
  const answer = answers[pathname]
  response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
  // A watch stays open: nothing changes.
  if (searchParams.has('watch')) response.flushHeaders()
  else response.end(answer)
}).listen(Number(port), '127.0.0.1')
