import { networkInterfaces } from 'node:os'
import type { ListenAddress } from '../../options/service-settings.ts'

/** Wildcard addresses, each with the loopback address that reaches a server listening on it. */
export const wildcards: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
])

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.')

const stripBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')

/** Whether a request to an origin reaches the address. Port 0 is assigned later, so no origin names it. */
export function resolvesToListenAddress({ host, port }: ListenAddress, origin: string): boolean {
  const url = new URL(origin)
  if (url.protocol !== 'http:' || Number(url.port || '80') !== port) return false
  // Connecting to a wildcard address reaches the loopback.
  const target = stripBrackets(wildcards.get(stripBrackets(url.hostname)) ?? url.hostname)
  if (target === stripBrackets(host)) return true
  const isOwnAddress = Object.values(networkInterfaces()).some((addresses) =>
    addresses!.some(({ address }) => address === target),
  )
  if (wildcards.has(host)) return isLoopback(target) || isOwnAddress
  return isLoopback(target) && isLoopback(host) && (target === 'localhost' || host === 'localhost')
}
