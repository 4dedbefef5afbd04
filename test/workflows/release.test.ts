/** Steps of the release, run with stand-ins for the programs that publish. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { fileText, root } from '../containers/stack-file.ts'

interface Step {
  readonly name?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

const workflow = parse(fileText('.github/workflows/release.yml')) as {
  jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const file of ['docker-compose.yml', 'deploy/stack/name-image.sh'])
    cpSync(new URL(file, root), join(folder, file), { recursive: true })
})

/** The arguments that a step calls a program with, one line for each call. */
function callsOf(program: string, job: string, name: RegExp, tag: string, answer = ''): string[] {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, program), `#!/bin/sh\ncat > /dev/null\necho "$@" >> "$CALLS"\n${answer}\n`)
  chmodSync(join(bin, program), 0o755)
  const calls = join(folder, 'calls')
  const { run } = workflow.jobs[job].steps.find((step) => name.test(step.name ?? ''))!
  const { status, stderr } = spawnSync('bash', ['--norc', '-eo', 'pipefail', '-c', run!], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: `${bin}:${process.env['PATH']}`,
      CALLS: calls,
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_REF_NAME: tag,
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'Example/mirror',
      GITHUB_REPOSITORY_OWNER: 'Example',
      GITHUB_SHA: '4edcd2c',
      IMAGE: 'ghcr.io/example/mirror',
      TOKEN: 'secret',
      ACTOR: 'me',
    },
  })
  expect([status, stderr]).toStrictEqual([0, ''])
  return readFileSync(calls, 'utf8').trim().split('\n')
}

test.each([
  ['v1.2.3', ['1.2.3', '1.2', 'latest', '1']],
  ['v0.1.0', ['0.1.0', '0.1', 'latest']],
  ['v1.2.3-rc.1', ['1.2.3-rc.1']],
  ['v0.2.0-beta', ['0.2.0-beta']],
])('the image of %s gets the tags %j, and says where it is from', (tag, tags) => {
  const metadata = `case "$*" in *--metadata-file*) echo '{"containerimage.digest":"sha256:1"}' > metadata.json ;; esac`
  const calls = callsOf('docker', 'image', /^Build/, tag, metadata)
  const words = calls.find((call) => call.startsWith('buildx build '))!.split(' ')
  const named = (option: string): string[] =>
    words.filter((word) => word.startsWith(option)).map((word) => word.slice(option.length))
  expect(named('--tag=')).toStrictEqual(tags.map((name) => `ghcr.io/example/mirror:${name}`))
  const facts = ['source=https://github.com/Example/mirror', 'revision=4edcd2c', `version=${tag.slice(1)}`]
  expect(named('--label=org.opencontainers.image.')).toStrictEqual(facts)
  expect(named('--annotation=index:org.opencontainers.image.')).toStrictEqual(facts)
  expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('digest=sha256:1\n')
  const image = `ghcr.io/example/mirror:${tag.slice(1)}`
  expect(words).toContain(`IMAGE=${image}`)
  expect(readFileSync(join(folder, 'docker-compose.yml'), 'utf8')).toContain(`  image: ${image}\n`)
})

test('the Compose file of a release names its image, in the image and as an artifact', () => {
  const manifest = `case "$*" in *--raw*) printf manifest ;; esac`
  const calls = callsOf('docker', 'image', /^Push the Compose file/, 'v1.2.3', manifest)
  expect(calls).toStrictEqual([
    'compose publish --with-env --yes ghcr.io/example/mirror-compose:1.2.3',
    'compose publish --with-env --yes ghcr.io/example/mirror-compose:latest',
    'buildx imagetools inspect --raw ghcr.io/example/mirror-compose:1.2.3',
  ])
  const sha256 = createHash('sha256').update('manifest').digest('hex')
  expect(readFileSync(join(folder, 'output'), 'utf8')).toBe(`digest=sha256:${sha256}\n`)
})

test('a prerelease of it is found by its own tag only', () => {
  expect(callsOf('docker', 'image', /^Push the Compose file/, 'v1.2.3-rc.1')).toStrictEqual([
    'compose publish --with-env --yes ghcr.io/example/mirror-compose:1.2.3-rc.1',
    'buildx imagetools inspect --raw ghcr.io/example/mirror-compose:1.2.3-rc.1',
  ])
})

test('the chart of a release has its repository, its image and links, and is pushed', () => {
  const chart = join(folder, 'deploy/helm/dcsim-mirror')
  mkdirSync(chart, { recursive: true })
  for (const file of ['Chart.yaml', 'values.yaml'])
    cpSync(new URL(`deploy/helm/dcsim-mirror/${file}`, root), join(chart, file))
  const login = join(folder, 'bin/docker')
  mkdirSync(join(folder, 'bin'))
  writeFileSync(login, '#!/bin/sh\ncat > /dev/null\n')
  chmodSync(login, 0o755)
  const digest = `sha256:${'5a'.repeat(32)}`
  const pushed = `case "$1" in push) echo "Pushed: x\nDigest: ${digest}" >&2 ;; esac`
  expect(callsOf('helm', 'release', /^Pack the chart/, 'v1.2.3-rc.1', pushed)).toStrictEqual([
    'package deploy/helm/dcsim-mirror --version 1.2.3-rc.1 --app-version 1.2.3-rc.1 --destination assets',
    'registry login ghcr.io --username me --password-stdin',
    'push assets/dcsim-mirror-1.2.3-rc.1.tgz oci://ghcr.io/example/charts',
  ])
  const read = (file: string) => parse(readFileSync(join(chart, file), 'utf8')) as Record<string, unknown>
  const home = 'https://github.com/Example/mirror'
  const { annotations, ...described } = read('Chart.yaml')
  expect(described).toMatchObject({ name: 'dcsim-mirror', home, sources: [home] })
  const { 'artifacthub.io/images': images, 'artifacthub.io/links': links } = annotations as Record<
    string,
    string
  >
  expect(parse(images)).toStrictEqual([{ name: 'mirror', image: 'ghcr.io/example/mirror:1.2.3-rc.1' }])
  expect(parse(links)).toStrictEqual([
    { name: 'Documentation', url: `${home}/blob/v1.2.3-rc.1/docs/kubernetes.md` },
    { name: 'Support', url: `${home}/issues` },
  ])
  expect(readFileSync(join(folder, 'output'), 'utf8')).toBe(`digest=${digest}\n`)
  expect(read('values.yaml')).toMatchObject({ image: { repository: 'ghcr.io/example/mirror' } })
})

test('the image has the labels of the package', () => {
  const { name, description, license } = JSON.parse(fileText('package.json')) as Record<string, string>
  const labels = [...fileText('Dockerfile').matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g)]
  expect(Object.fromEntries(labels.map(([, label, value]) => [label, value]))).toStrictEqual({
    title: name,
    description,
    licenses: license,
  })
})

test('badges match the package', () => {
  const { license, engines } = JSON.parse(fileText('package.json')) as {
    license: string
    engines: { node: string }
  }
  const badges = [...fileText('README.md').matchAll(/img\.shields\.io\/badge\/([^)]+)-\w+\)/g)]
  expect(badges.map(([, text]) => decodeURIComponent(text))).toStrictEqual([
    `license-${license}`,
    `node-${engines.node}`,
  ])
})

test('each artifact that is pushed to a registry is attested by its digest', () => {
  const attested = Object.values(workflow.jobs).flatMap(({ steps }) =>
    steps.flatMap(({ with: inputs }) => (inputs?.['push-to-registry'] === true ? [inputs] : [])),
  )
  const owner = 'ghcr.io/${{ github.repository'
  expect(attested.map((inputs) => [inputs['subject-name'], inputs['subject-digest']])).toStrictEqual([
    [`${owner} }}`, '${{ steps.push.outputs.digest }}'],
    [`${owner} }}-compose`, '${{ steps.compose.outputs.digest }}'],
    [`${owner}_owner }}/charts/dcsim-mirror`, '${{ steps.chart.outputs.digest }}'],
  ])
})

test('a citation has the license of the package', () => {
  const { name, license } = JSON.parse(fileText('package.json')) as Record<string, string>
  expect(parse(fileText('CITATION.cff'))).toMatchObject({
    'cff-version': '1.2.0',
    title: name,
    license,
    type: 'software',
    authors: [{ name: 'dcsim-mirror contributors' }],
  })
})
