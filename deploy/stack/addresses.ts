/** The addresses of the stack: those under which people reach it are made of a few variables in docker-compose.yml. */

type Environment = Readonly<Record<string, string | undefined>>

interface Part {
  readonly pattern: RegExp
  readonly expected: string
}

const host: Part = {
  pattern: /^(?:\[[\dA-Fa-f:.]+\]|[A-Za-z\d](?:[\w.-]*[A-Za-z\d])?)$/,
  expected: 'a name or an address alone, such as dc.example.net, 192.168.1.20 or [fd00::20]',
}
const port: Part = { pattern: /^\d{1,5}$/, expected: 'a port number' }
/** It is written into a quoted text of the configuration. */
const store: Part = {
  pattern: /^[A-Za-z0-9:/._~?&=%@+,-]+$/,
  expected: 'an address such as http://vminsert:8480/insert/0/prometheus/api/v1/write',
}

/** The variables with addresses, or what they are made of. An empty one counts as its default. */
const parts: Readonly<Record<string, Part>> = {
  DCSIM_HOST: host,
  PROMETHEUS_HOST: host,
  ALERTMANAGER_HOST: host,
  DCSIM_SCHEME: { pattern: /^https?$/, expected: 'http or https' },
  DCSIM_PREFIX: {
    pattern: /^(?::\d{1,5})?(?:\/[\w.~-]+)*$/,
    expected: 'nothing, or a path without a slash at its end, such as /dc',
  },
  DCSIM_PORT: port,
  GRAFANA_PORT: port,
  LONGTERM_WRITE_URL: store,
  LONGTERM_QUERY_URL: store,
}

/** The problems of the variables, one line each. */
export function addressProblems(environment: Environment): string[] {
  return Object.entries(parts).flatMap(([name, { pattern, expected }]) => {
    const value = environment[name] ?? ''
    if (value === '' || pattern.test(value)) return []
    return [`${name}: got ${JSON.stringify(value)}, expected ${expected}`]
  })
}

interface Addresses {
  /** Without a slash at its end, as paths are added. */
  readonly grafana: string
  readonly mirror: string
}

export function addressesOf(environment: Environment): Addresses {
  const addressIn = (name: string): string => {
    const address = URL.parse(environment[name] ?? '')
    if (address === null) throw new Error(`${name}: got ${environment[name]}, expected a URL`)
    return address.href.replace(/\/+$/, '')
  }
  return { grafana: addressIn('DCSIM_GRAFANA_URL'), mirror: addressIn('DCSIM_PUBLIC_URL') }
}
