import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly priority: string
  readonly text: string
  readonly html: string
  readonly login: string
}

const decoder = new TextDecoder()

/** Decodes bodies of mails: =C3=A9 and soft line breaks. */
function fromQuotedPrintable(text: string): string {
  const bytes: number[] = []
  const joined = text.replaceAll(/=\r?\n/g, '')
  for (let index = 0; index < joined.length; index++) {
    const isEscape = joined[index] === '=' && /^[0-9A-F]{2}$/i.test(joined.slice(index + 1, index + 3))
    bytes.push(isEscape ? Number.parseInt(joined.slice(index + 1, index + 3), 16) : joined.charCodeAt(index))
    if (isEscape) index += 2
  }
  return decoder.decode(Uint8Array.from(bytes))
}

/** Decodes headers of mails: =?UTF-8?q?=F0=9F?=. */
const decodedHeader = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?utf-8\?q\?/gi, '')
    .replaceAll(/=\?utf-8\?q\?(.*?)\?=/gi, (_, word: string) =>
      fromQuotedPrintable(word.replaceAll('_', ' ')),
    )

function parsed(data: string, to: string, login: string): Mail {
  const [head, ...rest] = data.split('\r\n\r\n')
  const header = (name: string): string => {
    const found = new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(head)
    return decodedHeader((found?.[1] ?? '').replaceAll(/\r\n[ \t]/g, ' '))
  }
  const boundary = /boundary="?([^";\r\n]+)/.exec(head)?.[1] ?? ''
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`)
  const part = (type: string): string => {
    const own = parts.find((one) => one.includes(`Content-Type: ${type}`)) ?? ''
    const body = own.slice(own.indexOf('\r\n\r\n') + 4)
    return fromQuotedPrintable(body).replaceAll('\r\n', '\n').trim()
  }
  return {
    to,
    subject: header('Subject'),
    priority: header('X-Priority'),
    text: part('text/plain'),
    html: part('text/html'),
    login,
  }
}

function converse(socket: Socket, deliver: (mail: Mail) => void): void {
  let pending = ''
  let data: string | null = null
  let to = ''
  let login = ''
  const say = (line: string): void => void socket.write(`${line}\r\n`)
  const command = (line: string): void => {
    if (/^EHLO/i.test(line)) say('250-inbox\r\n250-8BITMIME\r\n250 AUTH PLAIN')
    else if (/^AUTH PLAIN /i.test(line)) {
      login = Buffer.from(line.slice(11), 'base64').toString().replaceAll('\0', ' ').trim()
      say('235 ok')
    } else if (/^RCPT TO:/i.test(line)) {
      to = /<(.*)>/.exec(line)?.[1] ?? ''
      say('250 ok')
    } else if (/^DATA/i.test(line)) {
      data = ''
      say('354 go on')
    } else if (/^QUIT/i.test(line)) {
      say('221 bye')
      socket.end()
    } else say('250 ok')
  }
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    pending += chunk.toString('latin1')
    for (let end = pending.indexOf('\r\n'); end >= 0; end = pending.indexOf('\r\n')) {
      const line = pending.slice(0, end)
      pending = pending.slice(end + 2)
      if (data === null) command(line)
      else if (line === '.') {
        deliver(parsed(data, to, login))
        data = null
        say('250 ok')
      } else data += `${line.replace(/^\.\./, '.')}\r\n`
    }
  })
  say('220 inbox')
}

/** A mail server that accepts everything. */
export const smtpServer = (deliver: (mail: Mail) => void): Server =>
  createServer((socket) => converse(socket, deliver))
