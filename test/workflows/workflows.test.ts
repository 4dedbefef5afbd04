import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { fileText, root } from '../containers/stack-file.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>
  readonly 'timeout-minutes'?: number
  readonly steps: readonly Step[]
  readonly needs?: string | readonly string[]
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const folder = '.github/workflows/'
const names = readdirSync(new URL(folder, root))
const workflows = names.map((name) => [name, parse(fileText(folder + name)) as Workflow] as const)
const jobs = workflows.flatMap(([name, { jobs: all }]) =>
  Object.entries(all).map(([job, body]) => [`${name}: ${job}`, body] as const),
)
const scripts = JSON.parse(fileText('package.json')).scripts as Record<string, string>

/** The only jobs with write permissions. */
const writes: Readonly<Record<string, readonly string[]>> = {
  'codeql.yml: analyze': ['security-events'],
  'release.yml: image': ['packages', 'id-token', 'attestations'],
  'release.yml: npm': ['id-token'],
  'release.yml: release': ['contents', 'packages', 'id-token', 'attestations'],
  'supply-chain.yml: scorecard': ['security-events'],
}

test('there is one for each tier of tests, the release, the analysis and dependencies', () => {
  expect(names.toSorted()).toEqual(['ci.yml', 'codeql.yml', 'night.yml', 'release.yml', 'supply-chain.yml'])
})

test.each(workflows)(
  '%s grants nothing to all jobs, and is never started by foreign code with secrets',
  (_, workflow) => {
    expect(workflow.permissions).toEqual({})
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target')
    expect(Object.keys(workflow.on)).not.toContain('workflow_run')
  },
)

test.each(jobs)(
  '%s is granted what it needs, and ends',
  (name, { permissions, 'timeout-minutes': minutes }) => {
    const granted = Object.entries(permissions ?? {}).filter(([, access]) => access === 'write')
    expect(granted.map(([scope]) => scope)).toEqual(writes[name] ?? [])
    expect(minutes).toBeGreaterThan(0)
  },
)

test.each(jobs)('%s uses actions by hash, and puts no foreign text into a script', (_, { steps }) => {
  const actions = steps.flatMap(({ uses }) => uses ?? [])
  expect(actions.filter((uses) => !/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/.test(uses))).toEqual([])
  const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
  for (const { with: settings } of checkouts) expect(settings).toMatchObject({ 'persist-credentials': false })
  expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([])
})

const writing = jobs.filter(([name]) => name in writes)

/** The words of a job's scripts and of their variables. */
const wordsOf = ({ steps }: Job): string[] =>
  steps
    .flatMap(({ run, env }) => [run ?? '', ...Object.values(env ?? {})])
    .flatMap((text) => text.split(/["'\s=,]+/))

test.each(writing)('%s, which may write, runs images by digest', (_, job) => {
  const isImage = (word: string): boolean =>
    /^(?:[a-z][\w.-]*\/)+[a-z][\w.-]*(?=[:@])(?::\w[\w.-]*)?(?:@\S+)?$/.test(word)
  const images = wordsOf(job).filter(isImage)
  expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([])
  const text = job.steps.map(({ run }) => run ?? '').join('\n')
  // Docker pulls what is named by a variable, the builder and the generator of the SBOM as well.
  expect(images).toHaveLength(text.match(/docker run|buildx create|buildx build/g)?.length ?? 0)
  expect(text).not.toMatch(/docker pull|docker create|--sbom/)
})

test.each(writing)('%s, which may write, runs no script of a package', (_, { steps }) => {
  const installs = steps.flatMap(({ run }) => run?.match(/npm (?:ci|i|install|add|exec)\b[^&|;\n]*/g) ?? [])
  expect(installs.filter((install) => !install.includes('--ignore-scripts'))).toEqual([])
})

test.each(jobs)('%s runs scripts that exist', (_, { steps }) => {
  const text = steps.map(({ run }) => run ?? '').join('\n')
  for (const [, script] of text.matchAll(/npm (?:run )?(test(?::\w+)?|(?<=run )[\w:]+)/g)) {
    expect(scripts).toHaveProperty([script])
  }
  for (const [, path] of text.matchAll(/npm run node (\S+)/g))
    expect(existsSync(new URL(path, root))).toBe(true)
})

const runOf = (workflow: string, job: string): string =>
  new Map(jobs)
    .get(`${workflow}: ${job}`)!
    .steps.map(({ run }) => run ?? '')
    .join('\n')

test('every program that tests need, or use where it is installed, is there in CI or by night', () => {
  const text = readdirSync(new URL('test/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => fileText(`test/${name}`))
    .join('\n')
  const requiredTools = [...text.matchAll(/\b(?:hasTool|optionalTool)\('([\w-]+)'/g)]
  const wanted = new Set(requiredTools.map(([, name]) => name))
  expect(wanted.size).toBeGreaterThan(10)
  const onTheRunner = new Set(['systemd-analyze', 'kubectl', 'pwsh'])
  const installed = `${runOf('ci.yml', 'full')}\n${runOf('night.yml', 'worlds')}\n${fileText('.ci/run')}`
  const isThere = (name: string): boolean =>
    onTheRunner.has(name) || new RegExp(`(?:[/ ]|:,/)${name}(?:[@:/ ]|-prod|$)`, 'm').test(installed)
  expect([...wanted].filter((name) => !isThere(name))).toEqual([])
})

test('every tier runs: fast first, then all; the sweeps at night; the release after the standard one', () => {
  expect(runOf('ci.yml', 'fast')).toContain('npm run test:fast')
  expect(runOf('ci.yml', 'full')).toContain('bash .ci/run')
  expect(runOf('night.yml', 'worlds')).toContain('npx vitest run --mode night')
  expect(runOf('night.yml', 'upgrade')).toContain('npx vitest run test/containers/upgrade.test.ts')
  expect(runOf('release.yml', 'verify')).toContain('npm test')
  for (const job of ['image', 'npm']) expect(new Map(jobs).get(`release.yml: ${job}`)!.needs).toBe('verify')
})
