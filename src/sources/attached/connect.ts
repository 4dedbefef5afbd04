import { fileURLToPath } from 'node:url'
import { WorldFile } from './file/world-file.ts'
import { HttpClient } from './http/http-client.ts'
import type { ConnectionOptions, UpstreamClient } from './http/http-client.ts'

const isFile = ({ protocol }: URL): boolean => protocol === 'file:'

/** A client of the upstream at an address, or of the file in its place. */
export const connect = (options: ConnectionOptions): UpstreamClient =>
  isFile(options.origin) ? new WorldFile(options) : new HttpClient(options)

/** The address, or the path of the file. */
export const upstreamTitle = (origin: URL): string => (isFile(origin) ? fileURLToPath(origin) : origin.origin)
