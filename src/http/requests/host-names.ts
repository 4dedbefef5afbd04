/** Names that reach this machine itself, regardless of any name server. */
const loopback = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])$/

/** Whether an address leads every machine to itself, so that it is of use on this machine only. */
export const isOfThisMachine = (address: string): boolean => loopback.test(URL.parse(address)?.hostname ?? '')

/** A name or an address, optionally with a port, as in a Host header or a request target. */
const hostAndPort = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+)(?::[0-9]{0,5})?$/

const canonical = (name: string): string => name.toLowerCase().replace(/(?<=.)\.$/, '')

/** The name in a Host header, without its port; null if it is malformed. */
function hostName(header: string): string | null {
  const name = hostAndPort.exec(header)?.[1]
  return name === undefined ? null : canonical(name)
}

/**
 * The check of Host headers. A page on another site can point its own name at this machine and make a visitor's browser
 * read the service (DNS rebinding), but it cannot make the browser send another name.
 */
export class HostNames {
  readonly #allowed: ReadonlySet<string>

  constructor(allowed: readonly string[]) {
    this.#allowed = new Set(allowed.map(canonical))
  }

  allows(header: string): boolean {
    const name = hostName(header)
    return name !== null && (loopback.test(name) || this.#allowed.has(name))
  }
}
