import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export const root = new URL('../../', import.meta.url)

export const fileText = (path: string): string => readFileSync(new URL(path, root), 'utf8')

/** The tested properties of a service in docker-compose.yml. */
interface Service {
  readonly image: string
  readonly build?: string
  readonly profiles?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly command?: readonly string[]
  readonly user?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly depends_on?: Readonly<
    Record<string, { readonly condition: string; readonly required?: boolean; readonly restart?: boolean }>
  >
  readonly healthcheck?: { readonly test?: readonly string[] }
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly logging?: { readonly options: Readonly<Record<string, string>> }
  readonly mem_limit?: string
  readonly restart?: string
  readonly stop_grace_period?: string
}

interface StackFile {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

/** Compose's own tags, `!reset` and `!override`, are ignored; their values are read. */
export const readStack = (path: string): StackFile =>
  parse(fileText(path), { merge: true, logLevel: 'error' }) as StackFile

export const stack = readStack('docker-compose.yml')
export const services = Object.entries(stack.services)

/** Long-running services; the others run once and exit. */
export const lasting = services.filter(([, { restart }]) => restart !== 'no')
