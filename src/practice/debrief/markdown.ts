/** A debrief as Markdown, for a wiki or a ticket. */
import { dollarsText } from '../../words/phrases.ts'
import type { GameDay } from './game-day.ts'
import {
  dateText,
  delayText,
  faultHeads,
  hintsText,
  harmText,
  overText,
  tableNote,
  titleOf,
  clocksText,
} from './phrases.ts'
import { missesOf, scoresOf } from './scores.ts'

/** Names and answers are text in one line, not Markdown. */
const plain = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(/[\\`*_[\]<>|#&~]/g, String.raw`\$&`)

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${heads.join(' | ')} |`,
  `|${' --- |'.repeat(heads.length)}`,
  ...rows.map((cells) => `| ${cells.map(plain).join(' | ')} |`),
]

export function debriefMarkdown(gameDay: GameDay): string {
  const misses = missesOf(gameDay)
  const lines = [
    `# ${plain(titleOf(gameDay))}`,
    '',
    `${dateText(gameDay)}, world ${plain(gameDay.world)}, at speed ${gameDay.speed}. ${tableNote}`,
    '',
    ...table(
      ['', 'Result', ''],
      scoresOf(gameDay).map(({ name, value, note }) => [name, value, note]),
    ),
    '',
    '## Fault by fault',
    '',
    ...table(
      faultHeads,
      gameDay.faults.map((fault) => [
        `${fault.number}`,
        `${fault.cause} at ${fault.name}, ${fault.place}${hintsText(fault)}`,
        harmText(fault),
        delayText(fault, fault.seen),
        delayText(fault, fault.placed),
        delayText(fault, fault.named),
        overText(fault),
        dollarsText(fault.dollars),
      ]),
    ),
    '',
    '## What was missed',
    '',
    ...(misses.length === 0 ? ['Nothing.'] : misses.map((miss) => `- ${plain(miss)}`)),
    '',
    '## The whole game day',
    '',
    ...gameDay.log.map(
      ({ at, kind, text, by }) =>
        `- ${clocksText(gameDay, at)} **${kind}** ${plain(by === '' ? text : `${by}: ${text}`)}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}
