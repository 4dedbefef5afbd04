/** Settings of the command that injects faults and orders repairs. */
import { actionsSetting, defaultActionsFile } from './game-day-settings.ts'
import { duration, mapped, nonEmpty } from './setting.ts'

export const actSettings = {
  actions: {
    placeholder: actionsSetting.placeholder,
    defaultText: defaultActionsFile,
    help: 'File of actions of the mirror. The stack, and a mirror started beside a folder sessions, read the default.',
    parse: nonEmpty('the name of a file'),
  },
  wait: {
    placeholder: 'TIME',
    defaultText: '30s',
    help: 'How long to wait for the answer of the mirror; 0s does not wait.',
    parse: mapped(duration(1), (ns) => Number(ns / 1_000_000n)),
  },
} as const
