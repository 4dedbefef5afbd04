import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { dashboard, row, tiles } from '../layout/layout.ts'
import { attackPathPanel } from '../panels/drawings/pictures.ts'
import { addons, appliancesPanel, defenseLines, headroom } from '../panels/security/defenses.ts'
import { securityFigures } from '../panels/security/figures.ts'
import { arrivingTraffic, firewalls, residualTraffic, volumes } from '../panels/security/traffic.ts'
import { history, victims, victimsOverTime } from '../panels/security/victims.ts'

/** Hostile traffic: arriving, stopped, residual, and the headroom of defenses. */
export const securityPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-security',
    description:
      'Who is attacked, what does each line of defense stop, what gets through, and how much room is left?',
    variables: ['attacked'],
    infinity: true,
    sections: [
      {
        rows: [row(8, [24, defenseLines]), ...tiles(securityFigures), row(9, [11, history], [13, victims])],
      },
      {
        title: 'The path of hostile traffic',
        rows: [
          row(
            20,
            [16, attackPathPanel],
            [
              8,
              [
                [11, headroom],
                [9, victimsOverTime],
              ],
            ],
          ),
        ],
      },
      {
        title: 'History',
        rows: [row(9, [8, arrivingTraffic], [8, residualTraffic], [8, volumes]), row(8, [24, firewalls])],
      },
      { title: 'Defenses', rows: [row(9, [24, appliancesPanel]), row(8, [24, addons])] },
    ],
  })
