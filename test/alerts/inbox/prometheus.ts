import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedFiles } from '../../../alerts/render.ts'
import { defaultSettings, designSpeed } from '../../../alerts/settings.ts'
import { stack } from '../../containers/stack-file.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { until } from '../../metrics/real-prometheus.ts'

/** How the Prometheus of the stack judges rules. */
const ruleFlags = stack.services['prometheus'].command!.filter((word) => word.startsWith('--rules.'))

/**
 * The configuration and the rules of the stack with the test's interval and addresses, the ports of sessions among them,
 * generated for a world of some speed: times in simulated time are shorter for a faster world. A folder of an earlier one
 * is continued.
 */
export async function startPrometheus(
  folder: string,
  sessions: Readonly<Record<string, number>>,
  alertmanager: string,
  { interval = '1s', speed = designSpeed, port = 0 } = {},
): Promise<ChildProcess & { readonly url: string }> {
  port ||= await freePort()
  const url = `http://127.0.0.1:${port}`
  const targets = Object.entries(sessions).map(
    ([session, target]) =>
      `      - targets: ['127.0.0.1:${target}']\n        labels: { session: ${session} }\n`,
  )
  const configuration = readFileSync(new URL('../../../alerts/prometheus.yml', import.meta.url), 'utf8')
    .replaceAll(/_interval: 5s/g, `_interval: ${interval}`)
    .replace('scrape_timeout: 4s', `scrape_timeout: ${interval}`)
    .replace(/file_sd_configs:\n.*\n.*\n/, `static_configs:\n${targets.join('')}`)
    .replaceAll('alertmanager:9093', new URL(alertmanager).host)
    .replace('localhost:9090', `127.0.0.1:${port}`)
    // None of them asks for a password here.
    .replaceAll(/basic_auth: (?:&stack|\*stack).*\n */g, '')
  mkdirSync(join(folder, 'rules'), { recursive: true })
  writeFileSync(join(folder, 'prometheus.yml'), configuration)
  for (const [name, text] of generatedFiles({ ...defaultSettings, speed })) {
    if (name.endsWith('.rules.yaml'))
      writeFileSync(join(folder, 'rules', name), text.replaceAll(/^ +interval: .*\n/gm, ''))
  }
  const words = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'tsdb')}`,
    ...ruleFlags,
  ]
  const child = spawn('prometheus', [...words, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' })
  await until('Prometheus is ready', async () => (await fetch(`${url}/-/ready`)).ok)
  return Object.assign(child, { url })
}
