import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day, hour } from '../../../src/simulation/time.ts'
import { hasTool } from '../../metrics/real-prometheus.ts'
import { demandsOf } from './demands.ts'
import { type Proof, prove } from './prove.ts'
import { ordinaryWeek, quietWeek } from './runs.ts'
import { rowsOf } from './table.ts'

const folder = mkdtempSync(join(tmpdir(), 'proof-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** `npm run alerts:proof` is the whole of it; here are a day and a half of trouble and as much of peace. */
describe.skipIf(!hasTool('prometheus'))(
  'alerts against what is true (skipped where there is no Prometheus)',
  () => {
    let proof: Proof
    beforeAll(async () => {
      const runs = [ordinaryWeek(1, 'small', day + 12 * hour), quietWeek('small', day)]
      proof = await prove(runs, { folder, atOnce: 2, tell: () => {} })
    }, 120_000)

    test('every grave incident is alerted in time, critical alerts are true, the quiet day is quiet', () => {
      const [alerted, isTrue, quiet] = demandsOf(proof)
      expect([alerted, isTrue, quiet].filter(({ isMet }) => !isMet)).toStrictEqual([])
    })

    test('alerts fire when what they claim holds, and only then', () => {
      const wrong = proof.verdicts.filter((verdict) => verdict.missed.length + verdict.false.length > 0)
      expect(wrong).toStrictEqual([])
      expect(rowsOf(proof).filter(({ did }) => did > 0).length).toBeGreaterThan(12)
    })
  },
)
