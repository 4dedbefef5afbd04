import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../../../package.json' with { type: 'json' }
import { freePort } from '../../fixtures/free-port.ts'
import { startServer } from './processes.ts'
import { builtFromGo, versionOf } from './tools.ts'

/** The world of the mirror, and the folder with files of what it serves. */
interface World {
  readonly folder: string
  readonly hosts: number
  readonly series: number
}

/** A server with `/metrics` on a port. */
interface Contender {
  /** How it is set up, and what its process does besides. */
  readonly remark: string
  readonly version: string | (() => Promise<string>)
  /** The least number of series when it is ready. */
  readonly seriesMin: (world: World) => number
  readonly command: (world: World, port: number) => string[] | Promise<string[]>
}

const pathTo = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The command of a server of ours. */
export const own = (name: string, port: number, ...words: readonly string[]): string[] => [
  process.execPath,
  pathTo(`servers/${name}.ts`),
  String(port),
  ...words,
]

const mirror = ({ hosts }: World, port: number): string[] => [
  pathTo('../../../bin/dcsim-mirror'),
  ...`--listen 127.0.0.1:${port} --scale ${hosts} --warmup 1h`.split(' '),
]
const half = ({ series }: World): number => series / 2
const few = (): number => 40
const { version, dependencies } = packageJson
const [nodeExporter, kubeStateMetrics] = ['1.12.1', '2.15.0']

export const contenders: Readonly<Record<string, Contender>> = {
  'dcsim-mirror': {
    remark: 'simulates and publishes a world each second: metrics, records and history',
    version,
    seriesMin: ({ hosts }) => 40 * hosts,
    command: mirror,
  },
  'dcsim-mirror without metrics': {
    remark: 'the same with `--collectors clock`; what is left is about the process',
    version,
    seriesMin: few,
    command: (world, port) => [...mirror(world, port), '--collectors', 'clock'],
  },
  'prom-client with Fastify': {
    remark:
      'the samples of the mirror, parts of histograms as gauges; a quarter of them is set each second; the documentation of neither compresses',
    version: dependencies['prom-client'],
    seriesMin: half,
    command: ({ folder }, port) => own('prom-client', port, join(folder, 'world.prom')),
  },
  node_exporter: {
    remark: 'the samples of the mirror in a textfile, parsed at each scrape; other collectors are disabled',
    version: nodeExporter,
    seriesMin: half,
    async command({ folder }, port) {
      const module = 'github.com/prometheus/node_exporter'
      const program = await builtFromGo('node_exporter', module, nodeExporter)
      const textfile = ['--collector.disable-defaults', '--collector.textfile']
      const addresses = [`--collector.textfile.directory=${folder}`, `--web.listen-address=127.0.0.1:${port}`]
      return [program, ...textfile, ...addresses]
    },
  },
  'kube-state-metrics': {
    remark:
      'pods that do not change, from a stand-in for the API server; their text is kept; `--enable-gzip-encoding` is set, which is off by default',
    version: kubeStateMetrics,
    seriesMin: half,
    async command({ series }, port) {
      const module = 'k8s.io/kube-state-metrics/v2'
      const program = await builtFromGo('kube-state-metrics', module, kubeStateMetrics)
      const [apiPort, ownPort] = [await freePort(), await freePort()]
      await startServer(own('kubernetes-api', apiPort, String(series)), apiPort, '/version')
      const listen = `--host 127.0.0.1 --port ${port} --telemetry-host 127.0.0.1 --telemetry-port ${ownPort}`
      const options = `--apiserver http://127.0.0.1:${apiPort} --resources pods --enable-gzip-encoding ${listen}`
      return [program, ...options.split(' ')]
    },
  },
  Prometheus: {
    remark: 'its own metrics; a database without targets',
    version: () => versionOf('prometheus'),
    seriesMin: few,
    command({ folder }, port) {
      const config = join(folder, 'prometheus.yml')
      writeFileSync(config, 'scrape_configs: []\n')
      const storage = `--storage.tsdb.path=${join(folder, 'prometheus')}`
      return ['prometheus', `--config.file=${config}`, storage, `--web.listen-address=127.0.0.1:${port}`]
    },
  },
  VictoriaMetrics: {
    remark: 'its own metrics; a database without data',
    version: () => versionOf('victoria-metrics'),
    seriesMin: few,
    command({ folder }, port) {
      const storage = `-storageDataPath=${join(folder, 'victoria-metrics')}`
      return ['victoria-metrics', storage, `-httpListenAddr=127.0.0.1:${port}`]
    },
  },
}
