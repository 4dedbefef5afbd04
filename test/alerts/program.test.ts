import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

describe('npm run alerts', () => {
  const program = join(import.meta.dirname, '../../alerts/main.ts')

  function run(tuned: unknown) {
    const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const config = join(folder, 'config.json')
    writeFileSync(config, JSON.stringify(tuned))
    const out = join(folder, 'out')
    const { status, stderr } = spawnSync(process.execPath, [program, '--config', config, '--out', out], {
      encoding: 'utf8',
    })
    return { status, stderr, written: status === 0 ? readdirSync(out) : readdirSync(folder) }
  }

  test('writes rules and the manifest to the given folder', () => {
    const { status, written } = run({
      off: ['DcsimCompanyLosesMoney', 'DcsimCustomerLosesMoney', 'DcsimProspectExpiresSoon'],
    })
    expect(status).toBe(0)
    expect(written).toContain('incidents.rules.yaml')
    expect(written).toContain('prometheus-rule.yaml')
    expect(written).not.toContain('money.rules.yaml')
  })

  test.each([
    ['/nowhere/config.json', 'there is no such file'],
    ['/', 'it is a folder'],
  ])('says in plain words why it cannot read %s', (config, why) => {
    const { status, stderr } = spawnSync(process.execPath, [program, '--config', config], {
      encoding: 'utf8',
    })
    expect([status, stderr.split('\n')[0]]).toEqual([2, `--config: cannot read ${config}: ${why}.`])
  })

  test('exits with 2, reports the problem, and writes nothing', () => {
    const { status, stderr, written } = run({ speed: 'fast' })
    expect(status).toBe(2)
    expect(stderr).toContain('config.json: speed is "fast"; a number from 0.1 to 100000 was expected')
    expect(written).toStrictEqual(['config.json'])
  })
})
