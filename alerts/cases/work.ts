import type { AlertCase } from './alert-case.ts'

export const workCases = {
  DcsimWorkBlocked: {
    series: { 'dcsim_work_orders_blocked{blocking="NoSpare"}': '0x3 2x30 0x9' },
    silentAt: '5m45s',
    firesAt: '6m',
    resolvedAt: '8m45s',
    labels: { blocking: 'NoSpare', severity: 'info' },
    summary: '2 work orders wait for a spare part',
    description:
      'Until then, what they repair in session s stays broken. The table /tables/work lists them; clear those of grave incidents first.',
    opens: '/d/dcsim-business?var-session=s&var-instance=a',
  },
  DcsimNoTechnicianOnShift: {
    series: {
      'dcsim_incidents_active{band="Major",root_kind="CableCut"}': '1x60',
      'dcsim_work_orders_blocked{blocking="NobodyOnShift"}': '0x3 1x20 0x30',
    },
    silentAt: '1m45s',
    firesAt: '2m',
    resolvedAt: '7m15s',
    labels: { blocking: 'NobodyOnShift', severity: 'warning' },
    summary: '1 work order waits for a technician during a Major or Critical incident',
    description:
      'No technician on shift in session s has the skill and is free. Check on the Money dashboard who is on shift, and call in staff.',
    opens: '/d/dcsim-business?var-session=s&var-instance=a',
  },
  DcsimQuestDone: {
    series: {
      'dcsim_quest_info{quest="3",title="Fifty customers",state="Next",reward="$500"}': '1x9 stale',
      'dcsim_quest_info{quest="3",title="Fifty customers",state="Done",reward="$500"}': '_x10 1x60',
      // A quest that was completed before.
      'dcsim_quest_info{quest="2",title="Ten customers",state="Done",reward="$100"}': '1x60',
    },
    silentAt: '2m15s',
    firesAt: '2m30s',
    resolvedAt: '7m30s',
    labels: {
      quest: '3',
      title: 'Fifty customers',
      reward: '$500',
      severity: 'info',
      subject: 'Fifty customers',
    },
    summary: 'Quest done: Fifty customers',
    description: 'Reward: $500. The Money dashboard of session s lists the next quests.',
    opens: '/d/dcsim-business?var-session=s&var-instance=a',
  },
  DcsimWorkOrderStuck: {
    series: {
      // 36 simulated hours are 144 samples.
      'dcsim_work_order_started_sim_timestamp_seconds{work_order="3",kind="Repair",actor="Staff",incident="7"}':
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
    summary: 'Work order 3 (repair) has taken 1d 13h 15m of simulated time',
    description: 'Assigned to: technician. The table /tables/work shows its steps and what blocks it.',
    opens: '/d/dcsim-incidents?var-session=s&var-instance=a',
  },
} satisfies Record<string, AlertCase>
