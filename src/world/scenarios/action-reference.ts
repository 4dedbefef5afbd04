import { applianceKinds, switchRoles, threatClasses, tiers } from '../../contract/vocabularies.ts'
import { actionRules, linkRoles, picks } from '../simulation/scenarios/scenario.ts'
import { remedies } from '../simulation/faults/remedies.ts'
import { selectors } from './parse-action.ts'

const roles = { Switch: switchRoles, Appliance: applianceKinds, Cable: linkRoles, Port: linkRoles } as const

/** Reference of all actions and targets, as text. */
export function actionReference(): string {
  const actions = Object.entries(actionRules).map(([name, { targets, magnitude, duration }]) => {
    const parts = [
      targets.join(' or '),
      ...(magnitude === null
        ? []
        : [`magnitude ${magnitude.min}–${magnitude.max} (${magnitude.defaultValue})`]),
      ...(duration === 'none' ? [] : [duration === 'required' ? 'for TIME' : '[for TIME]']),
      ...(name === 'Attack' ? [threatClasses.join(' or ')] : []),
    ]
    return `  ${name.padEnd(20)}${parts.join(', ')}`
  })
  const targets = Object.entries(selectors).map(([kind, keys]) => {
    const words = keys.map((key) => {
      if (key === 'role') return roles[kind as keyof typeof roles].join(' ')
      if (key === 'tier') return tiers.join(' ')
      return key === 'side' ? 'side A or B' : `${key} ID`
    })
    return `  ${kind.padEnd(20)}${words.join(', ')}`
  })
  return [
    'Actions, and what they apply to:',
    ...actions,
    '',
    'Repairs that a team orders, and what they are for, by its name on dashboards:',
    ...Object.entries(remedies).map(
      ([remedy, { targets: kinds }]) => `  ${remedy.padEnd(22)}${kinds.join(' or ')}`,
    ),
    '',
    'Targets, and what narrows them down:',
    ...targets,
    '',
    `All targets: a name, or id ID; or ${picks.join(', ')}; count N, or share N%.`,
    'Times: for 30m is how long it lasts, at 1h 30m when it begins, counted from the end of the warm-up; now if left out.',
    'Examples: SwitchFailure core count 2 zone 1 for 1h',
    '          Attack busiest Volumetric magnitude 2 for 20m',
    '          PowerFeedLoss feed A of Tallisford A for 15m',
    '          Repair Switch id 3',
    '          replace transceiver tfd-b-b03-edge1 Eth1/15',
  ].join('\n')
}
