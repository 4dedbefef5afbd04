/** What the address that is listened on means to those who connect. */
import { networkInterfaces } from 'node:os'
import type { ListenAddress } from '../options/service-settings.ts'

/** Addresses that stand for every address of the machine and are the name of none, and where people find them. */
export const wildcards: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
])

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.')

/** An address as it stands in a URL, without the brackets. */
const bare = (host: string): string => host.replace(/^\[|\]$/g, '')

/** Whether a connection to a server arrives at the address that is listened on. Port 0 is one that nobody knows. */
export function leadsTo({ host, port }: ListenAddress, origin: string): boolean {
  const { hostname, protocol, port: written } = new URL(origin)
  if (protocol !== 'http:' || Number(written || '80') !== port) return false
  // Whoever connects to the address of every address arrives at the loopback.
  const called = bare(wildcards.get(bare(hostname)) ?? hostname)
  if (called === bare(host)) return true
  const isMachine = Object.values(networkInterfaces()).some((of) =>
    of!.some(({ address }) => address === called),
  )
  if (wildcards.has(host)) return isLoopback(called) || isMachine
  return isLoopback(called) && isLoopback(host) && (called === 'localhost' || host === 'localhost')
}
