import type { AlertCase } from '../alert-case.ts'

export const workCases = {
  DcsimWorkBlocked: {
    series: { 'dcsim_work_orders_blocked{blocking="NoSpare"}': '0x3 2x30 0x9' },
    silentAt: '5m45s',
    firesAt: '6m',
    resolvedAt: '8m45s',
    labels: { severity: 'info', blocking: 'NoSpare' },
    description:
      '2 work orders of a wait. What they wait for: NoSpare. It has been so for 5m of real time or longer.',
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
    labels: { severity: 'info', work_order: '3', kind: 'Repair', actor: 'Staff', incident: '7' },
    description:
      'Work order 3 (Repair, by Staff) was begun 1d 13h 15m 0s of game time ago. It has been so for 1m of real time or longer.',
    opens: '/d/dcsim-incidents?var-session=s&var-instance=a',
  },
} satisfies Record<string, AlertCase>
