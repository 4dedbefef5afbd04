import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { day, hour } from '../../../src/world/simulation/time.ts'
import { hasTool } from '../../fixtures/tools.ts'
import { findAlertmanager, removePrograms } from '../inbox/program.ts'
import { demandsOf } from './demands.ts'
import { prove } from './prove.ts'
import type { Proof } from './prove.ts'
import { ownScenario, quietWeek, scenarioRun } from './runs.ts'
import { rowsOf } from './table.ts'

const programs = findAlertmanager()
const folder = mkdtempSync(join(tmpdir(), 'proof-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterAll(removePrograms)

/** A short form of `npm run node test/alerts/proof/main.ts`: eight hours with faults and half a day without. */
describe.skipIf(!hasTool('prometheus'))(
  'alerts against what is true (skipped where there is no Prometheus)',
  () => {
    let proof: Proof
    beforeAll(async () => {
      const trouble = {
        ...scenarioRun(ownScenario('dark-zone'), 1, 8 * hour),
        warmUp: day,
        before: 18 * hour,
      }
      const peace = { ...quietWeek('small', 12 * hour), before: 18 * hour }
      proof = await prove([trouble, peace], {
        folder,
        atOnce: 2,
        pace: programs === null ? null : 20,
        tell: () => {},
      })
    }, 240_000)

    test('every grave incident is alerted in time, critical alerts are true, peace is quiet', () => {
      const [alerted, isTrue, quiet] = demandsOf(proof)
      expect([alerted, isTrue, quiet].filter(({ isMet }) => !isMet)).toStrictEqual([])
    })

    test.skipIf(programs === null)(
      'messages arrive in time, are true, few, and say what ended (skipped where there is no Alertmanager)',
      () => {
        expect(proof.inbox!.messages).toBeGreaterThan(5)
        expect(proof.inbox!.findings.filter(({ isMet }) => !isMet)).toStrictEqual([])
      },
    )

    test('alerts fire when their claim holds, and only then', () => {
      const wrong = proof.verdicts.filter((verdict) => verdict.missed.length + verdict.false.length > 0)
      expect(wrong).toStrictEqual([])
      expect(rowsOf(proof).filter(({ did }) => did > 0).length).toBeGreaterThan(20)
    })
  },
)
