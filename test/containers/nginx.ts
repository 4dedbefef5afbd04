import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../metrics/real-prometheus.ts'
import { answers } from './running-stack.ts'
import { fileText } from './stack-file.ts'

export const proxyHost = 'dc.example.net'
const authorization = `Basic ${Buffer.from('you:a secret').toString('base64')}`

/** The file of docs/address.md, with the ports of a stack, and below a prefix. */
function recipe(folder: string, port: number, { grafana, mirror }: Ports): string {
  const [, text] = /```nginx\n(.*?)```/s.exec(fileText('docs/address.md'))!
  return text
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll('/etc/nginx', folder)
    .replaceAll('location /', 'location /dc/')
    .replace('127.0.0.1:3000', `127.0.0.1:${grafana}`)
    .replace('127.0.0.1:9740', `127.0.0.1:${mirror}`)
}

interface Ports {
  readonly grafana: number
  readonly mirror: number
}

interface Answer {
  readonly status: number
  readonly location: string | undefined
  readonly text: string
}

/** An nginx with the file of docs/address.md, as a process of this machine. */
export class Nginx {
  readonly #folder = mkdtempSync(join(tmpdir(), 'nginx-'))
  readonly #port: number
  #child: ChildProcess | null = null

  constructor(port: number) {
    this.#port = port
  }

  async start(ports: Ports): Promise<void> {
    const folder = this.#folder
    const key = [
      '-keyout',
      join(folder, 'dcsim.key'),
      '-out',
      join(folder, 'dcsim.pem'),
      '-subj',
      `/CN=${proxyHost}`,
    ]
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...key], {
      stdio: 'ignore',
    })
    writeFileSync(join(folder, 'dcsim.htpasswd'), 'you:{PLAIN}a secret\n')
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const http = `http { access_log off; ${temporary.join(' ')}\n${recipe(folder, this.#port, ports)} }`
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, `daemon off; user root; pid ${folder}/pid; events {} ${http}`)
    this.#child = spawn('nginx', ['-c', file, '-e', join(folder, 'error.log')], { stdio: 'ignore' })
    await until('nginx listens', () => answers('127.0.0.1', this.#port))
  }

  /** A request as a browser makes it, with the login unless other headers are given. */
  async get(path: string, headers: Readonly<Record<string, string>> = { authorization }): Promise<Answer> {
    const answer = await this.#request(path, headers)
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk as Buffer)
    const { statusCode, headers: got } = answer
    return { status: statusCode!, location: got.location, text: Buffer.concat(chunks).toString() }
  }

  /** The status of a request to open a WebSocket: 101 if it is open. */
  async webSocket(path: string): Promise<number> {
    const origin = `https://${proxyHost}:${this.#port}`
    const key = Buffer.alloc(16).toString('base64')
    const answer = await this.#request(path, {
      authorization,
      origin,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': key,
    })
    answer.destroy()
    return answer.statusCode!
  }

  async #request(path: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const to = { host: '127.0.0.1', port: this.#port, path, rejectUnauthorized: false, agent: false }
    const named = { host: `${proxyHost}:${this.#port}`, ...headers }
    request({ ...to, headers: named }, resolve)
      .on('upgrade', resolve)
      .on('error', reject)
      .end()
    return promise
  }

  async stop(): Promise<void> {
    if (this.#child?.kill() === true) await once(this.#child, 'exit')
    rmSync(this.#folder, { recursive: true })
  }
}
