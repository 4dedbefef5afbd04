import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { dashboard, row } from '../house/layout.ts'
import { addons, appliances, defenseLines, headroom } from './defenses.ts'
import { figures } from './figures.ts'
import { arrives, firewalls, passes, volumes } from './traffic.ts'
import { history, victims, victimsOverTime } from './victims.ts'

/** What attackers send, what is stopped, what gets through, and how much more could be stopped. */
export const security = (): Dashboard =>
  dashboard({
    uid: 'dcsim-security',
    description:
      'Who is attacked, what does each line of defense stop, what gets through, and how much room is left?',
    sections: [
      {
        shelves: [
          row(4, ...figures.map((panel) => [4, panel] as const)),
          row(8, [24, defenseLines]),
          row(9, [14, history], [10, victims]),
        ],
      },
      {
        title: 'History',
        shelves: [
          row(9, [8, arrives], [8, passes], [8, volumes]),
          row(8, [12, victimsOverTime], [12, firewalls]),
        ],
      },
      { title: 'Defenses', shelves: [row(9, [8, headroom], [16, appliances]), row(8, [24, addons])] },
    ],
  })
