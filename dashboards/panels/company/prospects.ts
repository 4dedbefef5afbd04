import { by } from '../../../promql/expressions.ts'
import { thresholds } from '../../../src/contract/thresholds.ts'
import { gauge, matchesVariable, withNames } from '../../queries/series.ts'
import { timeUntil } from '../../queries/shared.ts'
import { risingSteps, unit } from '../../style/look.ts'
import { questTexts, faultFlagTexts, healthyFlagTexts } from '../../style/states.ts'
import { diskSteps, memorySteps } from '../../style/threshold-steps.ts'
import { table, wordTable } from '../../visualizations/tables.ts'

/** Prospects, and the goals of a session. */

const tier = { tier: matchesVariable('tier') }
const prospectId = ['prospect', 'tier'] as const

export const prospectsPanel = table({
  title: 'Prospects',
  description:
    'Who would come, what for, and whether we could serve them. CPU, memory and disk: allocated of what there is, once they are served.',
  empty: 'No open prospects.',
  lines: 2,
  labels: [
    { label: 'name', title: 'Prospect', width: 110 },
    { label: 'archetype', title: 'Kind', width: 100 },
    { label: 'tier', title: 'Plan', width: 72 },
    { label: 'recommendation', title: 'Advice', width: 106 },
  ],
  values: [
    {
      expr: by(
        'max',
        withNames(
          gauge('dcsim_prospect_revenue_dollars_per_month', tier),
          'dcsim_prospect_info',
          ['prospect'],
          ['name', 'archetype', 'recommendation'],
        ),
        ['prospect', 'tier', 'name', 'archetype', 'recommendation'],
      ),
      title: '$ a month',
      unit: unit.dollars,
    },
    {
      expr: by('max', gauge('dcsim_prospect_signup_bonus_dollars', tier), prospectId),
      title: 'Bonus',
      unit: unit.dollars,
      width: 65,
    },
    {
      expr: by('max', gauge('dcsim_prospect_can_serve_now', tier), prospectId),
      title: 'Fits now',
      mappings: healthyFlagTexts,
    },
    {
      expr: by('max', gauge('dcsim_prospect_over_capacity', tier), prospectId),
      title: 'Over capacity',
      mappings: faultFlagTexts,
    },
    {
      expr: by('max', gauge('dcsim_prospect_cpu_after_ratio', tier), prospectId),
      title: 'CPU',
      unit: unit.share,
      decimals: 0,
      width: 56,
      steps: risingSteps(thresholds.cpuAllocatedHigh, 1),
    },
    {
      expr: by('max', gauge('dcsim_prospect_memory_after_ratio', tier), prospectId),
      title: 'Memory',
      unit: unit.share,
      decimals: 0,
      width: 66,
      steps: memorySteps,
    },
    {
      expr: by('max', gauge('dcsim_prospect_disk_after_ratio', tier), prospectId),
      title: 'Disk',
      unit: unit.share,
      decimals: 0,
      width: 56,
      steps: diskSteps,
    },
    {
      expr: by('max', timeUntil(gauge('dcsim_prospect_expires_sim_timestamp_seconds', tier)), prospectId),
      title: 'Expires in',
      unit: unit.duration,
      width: 80,
    },
  ],
  sortBy: '$ a month',
})

export const questsPanel = wordTable({
  title: 'Quests',
  description: 'Goals with the progress so far, and what reaching them brings.',
  table: 'quests',
  query: 'limit=30',
  lines: 3,
  numbered: true,
  columns: [
    { field: 'state', title: 'State', width: 64, mappings: questTexts },
    { field: 'title', title: 'Quest', width: 124, wraps: true },
    { field: 'goal', title: 'Goal' },
    {
      field: 'progress_pct',
      title: 'Progress',
      unit: unit.percent,
      bar: true,
      barMax: 100,
      decimals: 0,
      width: 100,
    },
    { field: 'reward', title: 'Brings', width: 160, wraps: true },
  ],
})
