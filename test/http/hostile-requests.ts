import { parameters as allParameters, routeNames, routes } from '../../src/contract/routes.ts'
import { ownRunbooks } from '../../src/process/package-files.ts'
import { tables } from '../../src/tables/catalog.ts'
import { pictureNames } from '../../src/tables/drawings/pictures.ts'
import type { SeededRandom } from '../fixtures/seeded-random.ts'

const words = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' '))

const methods = [
  ...words('GET GET GET GET HEAD POST PUT DELETE OPTIONS TRACE CONNECT BREW get'),
  '',
  'G\0T',
  'GET GET',
]
const versions = [
  ...words('HTTP/1.1 HTTP/1.1 HTTP/1.1 HTTP/1.1 HTTP/1.0 HTTP/2.0 HTTP/0.9 HTTP/1.12 http/1.1 HTTP'),
  '',
]
const oddHosts = ['', ' ', 'a\tb', 'x'.repeat(300)]
const hosts = words('localhost localhost localhost 127.0.0.1:9740 [::1] evil.example ünïcödé').concat(
  oddHosts,
)
const oddIntegers = ['9'.repeat(5000), '-' + '9'.repeat(300), ' 1', '', '1%0d%0aX-Evil: 1', "1' OR '1'='1"]
const integers = [
  ...words(
    '0 1 -1 1000 1001 9007199254740993 9223372036854775807 9223372036854775808 1e9 0x1F 1.0 +1 null NaN Infinity',
    '%31 %00 % %zz %C0%80 1;2 ١ ${7*7} ../../etc/passwd __proto__ constructor [] {} <script>',
  ),
  ...oddIntegers,
]
/** Names of parameters that no route has. */
const unknownNames = ['id', 'limit[]', '__proto__', 'toString', '', '%6cimit', 'LIMIT', 'state', '%']
/** Wall times and searches of the archive: those with a meaning, and those with one in the language of its searches. */
const archiveValues: Readonly<Record<string, readonly string[]>> = {
  from: ['0', '1700000000000', '2026-11-23', '999999999999999', '2026-13-01', '-1'],
  to: ['0', '4102444800000', '2026-11-23T22:00:00Z', '2026-11-23T22:00:00+01:00', '1e3', '+275760-09-13'],
  text: ['power', 'p', '"', 'a" OR "b', 'NEAR(a b)', '^a -b', '{text}:a', '*', '\0', 'ſ', 'a '.repeat(500)],
  world: ['1', '0', '999999999', '1.5'],
}
const tableNames = [...tables.keys()]
const archivedTables = [...tables.values()].flatMap(({ name, archived }) =>
  archived === undefined ? [] : [name],
)
const alertNames = [...ownRunbooks().values()].flatMap((text) =>
  Array.from(text.matchAll(/^## (Dcsim\w+)/gm), ([, name]) => name),
)
const odd = [
  ...words('/.. /../ /%2e%2e/ /%2F // /./ \\ /%00 /* /:id /{id} ? # ?? /é ;x=1 % %a %zz'),
  '/'.repeat(500),
]
const headerNames = [
  ...words(
    'Accept-Encoding If-None-Match Content-Length Transfer-Encoding Connection Expect Upgrade Range Cookie X',
    'Authorization Accept Keep-Alive TE Trailer Host Content-Encoding Accept-Version',
  ),
  'X-'.repeat(100),
  'Bad Name',
  '',
]
const oddValues = [
  'zstd;q=0.5, gzip;q=',
  'gzip'.repeat(200),
  '"a", W/"b"',
  'chunked, chunked',
  'gzip, chunked',
]
const headerValues = [
  ...words(
    'gzip br;q=2 * W/" 5 0 -1 99999999999999999999 chunked close keep-alive upgrade websocket 100-continue tea',
    'bytes=0-10 \x01 \xff trailers h2c 1.2.3',
  ),
  ...oddValues.concat('a=b; '.repeat(50), '', ' ', 'x'.repeat(4000)),
]

/** Most values have valid syntax, so that only their meaning is hostile. */
const value = (chance: SeededRandom): string =>
  chance.oneIn(6) ? chance.pick(integers) : encodeURIComponent(chance.pick(integers))

const harmlessHeaders = [
  'Accept-Encoding: gzip',
  'Accept-Encoding: zstd;q=0.5, br',
  'If-None-Match: *',
  'Accept: */*',
  'Range: bytes=0-1',
]

function header(chance: SeededRandom): string {
  if (!chance.oneIn(6)) return chance.pick(harmlessHeaders)
  return `${chance.pick(headerNames)}: ${chance.pick(headerValues)}`
}

/** The value of a parameter in a path: mostly an existing one. */
function inPath(chance: SeededRandom, parameter: string): string {
  if (chance.oneIn(8)) return value(chance)
  if (parameter === 'table')
    return (
      chance.pick(chance.oneIn(2) ? tableNames : archivedTables) +
      chance.pick(['', '', '.csv', '.json', '.xml', '.csv.json'])
    )
  if (parameter === 'picture') return chance.pick(pictureNames) + chance.pick(['.svg', '.svg', '', '.png'])
  if (parameter === 'alert') return chance.pick(alertNames)
  return chance.pick(['0', '1', '3', value(chance)])
}

/** The names and values that a route knows, and others. */
function pair(chance: SeededRandom, parameters: readonly string[], table: string): string {
  const { columns = {}, filters = {}, archived } = tables.get(table) ?? {}
  const archiveNames = archived === undefined ? [] : Object.keys(archiveValues)
  const filtering = [...parameters.filter((name) => name !== '*'), ...Object.keys(filters)]
  const own = archiveNames.length > 0 && chance.oneIn(2) ? archiveNames : filtering
  const name = own.length > 0 && !chance.oneIn(5) ? chance.pick(own) : chance.pick(unknownNames)
  const isSorted = name === 'sort' && !chance.oneIn(8)
  const given = isSorted
    ? chance.pick(['', '-', '--']) + chance.pick([...Object.keys(columns), 'id'])
    : archiveNames.includes(name) && !chance.oneIn(4)
      ? encodeURIComponent(chance.pick(archiveValues[name]))
      : value(chance)
  return `${name}${chance.oneIn(9) ? '' : '='}${given}`
}

function target(chance: SeededRandom): string {
  // Tables take more parameters than all other routes.
  const route = routes[chance.oneIn(5) ? 'table' : chance.pick(routeNames)]
  const parameters = route.parameters.map((name) => allParameters[name].name)
  const known = route.path.replace(/\{(\w+)\}/, (_, name: string) => inPath(chance, name))
  const path = chance.oneIn(6) ? chance.pick(odd) : known + (chance.oneIn(8) ? chance.pick(odd) : '')
  const table = known.startsWith('/pictures/') ? 'pictures' : (/^\/tables\/([\w-]+)/.exec(known)?.[1] ?? '')
  const pairs = Array.from({ length: chance.below(4) }, () => pair(chance, parameters, table))
  const base = chance.oneIn(25)
    ? chance.pick(['http://localhost', 'http://evil', 'https://[::1]', 'ftp://x', 'localhost'])
    : ''
  return base + path + (pairs.length === 0 ? '' : `?${pairs.join(chance.oneIn(10) ? ';' : '&')}`)
}

function request(chance: SeededRandom): string {
  const method = chance.oneIn(4) ? chance.pick(methods) : 'GET'
  const version = chance.oneIn(6) ? chance.pick(versions) : 'HTTP/1.1'
  const lines = [`${method} ${target(chance)} ${version}`]
  if (!chance.oneIn(12)) lines.push(`Host: ${chance.oneIn(5) ? chance.pick(hosts) : 'localhost'}`)
  for (let count = chance.below(chance.oneIn(40) ? 200 : 5); count > 0; count--) {
    lines.push(header(chance))
  }
  const body = chance.oneIn(8)
    ? chance.pick(['hello', '5\r\nhello\r\n0\r\n\r\n', 'zz\r\n', 'x'.repeat(3000)])
    : ''
  return `${lines.join(chance.oneIn(30) ? '\n' : '\r\n')}\r\n\r\n${body}`
}

const garbage = (chance: SeededRandom): Buffer =>
  Buffer.from(Array.from({ length: 1 + chance.below(300) }, () => chance.below(256)))

function mutated(chance: SeededRandom, text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  for (let count = 1 + chance.below(4); count > 0; count--)
    bytes[chance.below(bytes.length)] = chance.below(256)
  return chance.oneIn(3) ? bytes.subarray(0, chance.below(bytes.length)) : bytes
}

/** The bytes of a hostile client on one connection, and the number of their requests. */
export function hostileBytes(chance: SeededRandom): { bytes: Buffer; requests: number } {
  if (chance.oneIn(10)) return { bytes: garbage(chance), requests: 1 }
  const requests = 1 + chance.below(4)
  const text = Array.from({ length: requests }, () => request(chance)).join('')
  return { bytes: chance.oneIn(4) ? mutated(chance, text) : Buffer.from(text, 'latin1'), requests }
}
