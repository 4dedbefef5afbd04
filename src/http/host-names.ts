/** Names by which a browser on this machine reaches it, whatever a foreign name server answers. */
const loopback = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])$/

/** A host as a Host header or a request target has it: a name or an address, perhaps with a port. */
const hostAndPort = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+)(?::[0-9]{0,5})?$/

const canonical = (name: string): string => name.toLowerCase().replace(/(?<=.)\.$/, '')

/** The name in a Host header, without its port; null where it is none. */
export function hostName(header: string): string | null {
  const name = hostAndPort.exec(header)?.[1]
  return name === undefined ? null : canonical(name)
}

/** How many distinct Host headers are remembered as allowed. */
const rememberedMax = 64

/**
 * Says which Host headers are answered. A page on a foreign site can point its own name at this machine and
 * have a visitor's browser read the service, but it cannot make the browser send another name.
 */
export class HostNames {
  readonly #allowed: ReadonlySet<string>
  readonly #remembered = new Set<string>()

  constructor(allowed: readonly string[]) {
    this.#allowed = new Set(allowed.map(canonical))
  }

  allows(header: string): boolean {
    if (this.#remembered.has(header)) return true
    const name = hostName(header)
    if (name === null || !(loopback.test(name) || this.#allowed.has(name))) return false
    if (this.#remembered.size < rememberedMax) this.#remembered.add(header)
    return true
  }
}
