import type { AlertCase } from '../alert-case.ts'

export const workCases = {
  DcsimWorkBlocked: {
    series: { 'dcsim_work_orders_blocked{blocking="NoSpare"}': '0x3 2x30 0x9' },
    silentAt: '5m45s',
    firesAt: '6m',
    resolvedAt: '8m45s',
    labels: { blocking: 'NoSpare', severity: 'info' },
    summary: '2 work orders wait for a spare part',
    description:
      'In session s, 2 work orders wait for a spare part. The table /tables/work names them; those of grave incidents come first.',
    opens: '/d/dcsim-business?var-session=s&var-instance=a',
  },
  DcsimWorkOrderStuck: {
    series: {
      // 36 hours of the game are 144 samples.
      'dcsim_work_order_started_seconds{work_order="3",kind="Repair",actor="Staff",incident="7"}':
        '0x160 stale',
      'dcsim_work_order_progress_ratio{work_order="3",kind="Repair",actor="Staff",incident="7"}':
        '0.5x160 stale',
    },
    silentAt: '37m',
    firesAt: '37m15s',
    resolvedAt: '40m15s',
    labels: {
      actor: 'Staff',
      incident: '7',
      kind: 'Repair',
      severity: 'info',
      subject: 'Work order 3',
      work_order: '3',
    },
    summary: 'Work order 3 (repair) has taken 1d 13h 15m of game time',
    description:
      'Work order 3 (repair, by technician) was begun 1d 13h 15m of game time ago and is not done. The table /tables/work shows its steps and what it waits for.',
    opens: '/d/dcsim-incidents?var-session=s&var-instance=a',
  },
} satisfies Record<string, AlertCase>
