import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect } from 'node:net'
import type { Server, Socket } from 'node:net'
import { join } from 'node:path'
import { variableOf } from '../../../alerts/notifications/channels.ts'
import type { ChannelName } from '../../../alerts/notifications/channels.ts'
import { readers } from './message.ts'
import type { Channel, Message } from './message.ts'
import { smtpServer } from './smtp.ts'
import { listening } from '../../fixtures/listening.ts'

const host = '127.0.0.1'

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** Responses of the services, as far as Alertmanager evaluates them. */
const answers: Readonly<Partial<Record<Channel, readonly [status: number, body: object]>>> = {
  telegram: [200, { ok: true, result: { message_id: 1, date: 1, chat: { id: 1, type: 'group' } } }],
  pagerduty: [202, { status: 'success' }],
  slack: [200, { ok: true }],
}

/** Receives and stores the messages of every channel, each in its own format. */
export class Inbox {
  readonly messages: Message[] = []
  /** Errors in the formats of messages. */
  readonly errors: string[] = []
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()
  #http = 0
  #smtp = 0
  #tls = 0

  /** Given a folder for a key, it also receives Pushover's messages, whose address is fixed in Alertmanager. */
  static async open(folder: string): Promise<Inbox> {
    const inbox = new Inbox()
    const http = createHttpServer(inbox.#listener)
    // Alertmanager connects to api.pushover.net through this proxy, which leads to the inbox.
    http.on('connect', (_, socket) => {
      const inner = connect(inbox.#tls, host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        inner.pipe(socket).pipe(inner)
      })
      inner.on('error', () => socket.destroy())
      socket.on('error', () => inner.destroy())
    })
    mkdirSync(folder, { recursive: true })
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=inbox', '-days', '2']
    execFileSync('openssl', [...words, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const https = createHttpsServer({ key: readFileSync(key), cert: readFileSync(cert) }, inbox.#listener)
    const smtp = smtpServer((mail) => {
      inbox.#keep('email', mail.to.replace(/@.*/, ''), mail)
    })
    inbox.#servers.push(http, https, smtp)
    for (const server of inbox.#servers) server.on('connection', (socket) => inbox.#sockets.add(socket))
    inbox.#http = await listening(http)
    inbox.#tls = await listening(https)
    inbox.#smtp = await listening(smtp)
    return inbox
  }

  /** Variables that send all messages of one severity to this inbox. */
  variables(severity: 'critical' | 'warning'): Record<string, string> {
    const at = `http://${host}:${this.#http}`
    const letter = severity[0]
    const values: Readonly<Record<ChannelName, string>> = {
      webhook: `${at}/webhook/${severity}`,
      discord: `${at}/discord/${severity}`,
      slack: `${at}/slack/${severity}`,
      teams: `${at}/teams/${severity}`,
      ntfy: `${at}/${severity}?auth=QmFzaWM`,
      email: `smtp://me:p'a:s@s@${host}:${this.#smtp}/${severity}@example.org`,
      telegram: `123456:${letter.repeat(30)}@-1001234`,
      pagerduty: letter.repeat(32),
      pushover: `${letter.repeat(30)}@${'u'.repeat(30)}`,
    }
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [variableOf(name, severity), value]),
    )
  }

  get watchdog(): Record<string, string> {
    return { DCSIM_ALERT_WATCHDOG: `http://${host}:${this.#http}/watchdog/` }
  }

  /** The configuration with the inbox in place of the addresses of services. */
  redirected(configuration: string): string {
    const at = `http://${host}:${this.#http}`
    return configuration
      .replaceAll('https://api.telegram.org', at)
      .replaceAll('https://events.pagerduty.com', at)
      .replaceAll('"smarthost":', '"require_tls": false, "smarthost":')
      .replaceAll(
        '"token_file":',
        `"http_config": { "proxy_url": "${at}", "tls_config": { "insecure_skip_verify": true } }, "token_file":`,
      )
  }

  of(channel: Channel): Message[] {
    return this.messages.filter((message) => message.channel === channel)
  }

  close(): void {
    for (const server of this.#servers) server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #keep(channel: Channel, receiver: string, body: unknown): void {
    const [title, text] = readers[channel](body as never)
    this.messages.push({ channel, receiver, atMs: Date.now(), title, text, body })
  }

  #listener: RequestListener = (request, response) => {
    this.#receive(request, response).catch((error: unknown) => {
      this.errors.push(String(error))
      response.writeHead(400).end()
    })
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request)
    const { pathname, searchParams } = new URL(request.url!, 'http://inbox')
    const [, first, second = ''] = pathname.split('/')
    const letter = { c: 'critical', w: 'warning' } as const
    const keep = (channel: Channel, receiver: string, body: unknown): void => {
      this.#keep(channel, receiver, body)
      const [status, answer] = answers[channel] ?? [200, {}]
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    }
    if (pathname === '/') {
      const body = JSON.parse(text) as { readonly topic: string }
      keep('ntfy', body.topic, { ...body, auth: searchParams.get('auth') })
    } else if (first.startsWith('bot')) {
      keep('telegram', letter[first.at(-1) as 'c' | 'w'], JSON.parse(text))
    } else if (first === 'v2') {
      const body = JSON.parse(text) as { readonly routing_key: string }
      keep('pagerduty', letter[body.routing_key[0] as 'c' | 'w'], body)
    } else if (first === '1') {
      keep('pushover', letter[searchParams.get('token')![0] as 'c' | 'w'], Object.fromEntries(searchParams))
    } else keep(first as Channel, second, JSON.parse(text))
  }
}
