/** What actions there are, and the file that a running mirror watches. */
import { closeSync, fstatSync, readSync } from 'node:fs'
import { appendToFile, openRegularFile } from '../../files/regular-file.ts'
import { selectors } from '../../world/scenarios/parse-action.ts'
import { actionRules, linkRoles, picks } from '../../world/simulation/scenarios/scenario.ts'
import { applianceKinds, switchRoles, threatClasses, tiers } from '../../contract/vocabularies.ts'

const roles = { Switch: switchRoles, Appliance: applianceKinds, Cable: linkRoles, Port: linkRoles } as const

/** What there is to be done, and to what. */
export function actionsText(): string {
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
    'Targets, and what narrows them down:',
    ...targets,
    '',
    `All targets: id ID; or ${picks.join(', ')}; count N, or share N%.`,
    'Times: for 30m is how long it lasts, at 1h 30m when it begins, counted from the end of the warm-up; now if left out.',
    'Examples: SwitchFailure core busiest for 30m',
    '          Attack busiest Volumetric magnitude 2 for 20m',
    '          PowerFeedLoss zone 1 side A for 15m',
    '          Repair Switch id 3',
  ].join('\n')
}

/** A line that was begun by hand is ended first. */
export function appendLine(path: string, line: string): void {
  appendToFile(path, `${endsAmidLine(path) ? '\n' : ''}${line}\n`)
}

function endsAmidLine(path: string): boolean {
  let file
  try {
    file = openRegularFile(path, 'read')
  } catch {
    return false
  }
  try {
    const { size } = fstatSync(file)
    const last = Buffer.alloc(1)
    return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last[0] !== 10
  } finally {
    closeSync(file)
  }
}
