import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RealAlertmanager } from '../alerts/inbox/alertmanager.ts'
import { Inbox } from '../alerts/inbox/inbox.ts'
import { findAlertmanager } from '../alerts/inbox/program.ts'
import { startPrometheus } from '../alerts/inbox/prometheus.ts'
import type { Mail } from '../alerts/inbox/smtp.ts'
import { until } from '../metrics/real-prometheus.ts'

const withinMs = 180_000

/** The mails that the stack's rules and configuration send about a mirror, as a mail server receives them. */
export class Mailbox {
  readonly #inbox: Inbox
  readonly #stop: () => Promise<void>

  private constructor(inbox: Inbox, stop: () => Promise<void>) {
    this.#inbox = inbox
    this.#stop = stop
  }

  /** Needs Prometheus, and Alertmanager or its image. */
  static async open(mirrorPort: number, session: string): Promise<Mailbox> {
    const programs = findAlertmanager()
    if (programs === null)
      throw new Error('There is no Alertmanager, which sends the message of the picture.')
    const folder = mkdtempSync(join(tmpdir(), 'message-'))
    const inbox = await Inbox.open(folder)
    const alertmanager = await RealAlertmanager.start(programs, folder, inbox)
    const prometheus = await startPrometheus(folder, { [session]: mirrorPort }, alertmanager.url, {
      interval: '5s',
    })
    return new Mailbox(inbox, async () => {
      prometheus.kill()
      await alertmanager.stop()
      inbox.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    })
  }

  /** The first mail whose subject contains the text. */
  async received(text: string): Promise<Mail> {
    const find = () => this.#inbox.of('email').find(({ title }) => title.includes(text))
    await until(`a mail about ${text}`, async () => find() !== undefined, withinMs)
    return find()!.body as Mail
  }

  close(): Promise<void> {
    return this.#stop()
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A mail as a mail program displays it. */
export const mailPage = ({ subject, to, html }: Mail): string => `<!doctype html><style>
body { margin: 0; background: #fff; color: #1d2530; font: 15px/1.5 system-ui, sans-serif; }
header { padding: 1rem 1.4rem .8rem; background: #f2f5f8; border-bottom: 1px solid #d5dce4; }
h1 { margin: 0 0 .3rem; font-size: 17px; }
header p { margin: 0; color: #536273; font-size: 13px; }
main { padding: .4rem 1.4rem; }
a { color: #1559a8; }</style>
<header><h1>${escaped(subject)}</h1><p>To ${escaped(to)}</p></header><main>${html}</main>`
