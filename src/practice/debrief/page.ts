/** A debrief as one page without references to elsewhere, for a browser and for paper. */
import { createHash } from 'node:crypto'
import { nsPerSecond } from '../../contract/time-units.ts'
import { palette, themes } from '../../pictures/palette.ts'
import { clockText, spanText } from '../../words/moments.ts'
import { dollarsText, listed } from '../../words/phrases.ts'
import type { GameDay, FaultStory, Said } from './game-day.ts'
import { harmFigures, timelineFigure } from './figures.ts'
import { html, markupOf } from './html.ts'
import type { Markup } from './html.ts'
import { lasted, missesOf, scoresOf } from './scores.ts'

const { ink, soft, line, paper } = themes.light

const styles = `
@page { size: A4 landscape; margin: 10mm }
* { box-sizing: border-box; print-color-adjust: exact; -webkit-print-color-adjust: exact }
body { margin: 0 auto; max-width: 1140px; padding: 28px 30px 60px; background: ${paper}; color: ${ink};
  font: 14px/1.45 Inter, system-ui, -apple-system, "Segoe UI", sans-serif }
header { display: flex; justify-content: space-between; align-items: end; gap: 24px; border-bottom: 3px solid ${ink}; padding-bottom: 12px }
h1 { margin: 0; font-size: 34px; line-height: 1.1; letter-spacing: -.02em }
header p { margin: 0; color: ${soft}; text-align: right; font-size: 13px }
h2 { margin: 30px 0 8px; font-size: 17px; letter-spacing: -.01em }
.scores { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin-top: 18px }
.scores div { background: #fff; border: 1px solid ${line}; border-top: 4px solid ${palette.blue}; padding: 10px 12px; border-radius: 4px }
.scores b { display: block; font-size: 26px; line-height: 1.2; letter-spacing: -.02em }
.scores span { display: block; color: ${soft}; font-size: 12px }
figure { margin: 0; break-inside: avoid }
figure svg { width: 100%; height: auto; display: block }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 20px; margin-top: 14px; break-inside: avoid }
table { border-collapse: collapse; width: 100%; font-size: 13px }
th { text-align: left; color: ${soft}; font-weight: 500; border-bottom: 1px solid ${ink}; padding: 4px 10px 4px 0; vertical-align: bottom }
td { border-bottom: 1px solid ${line}; padding: 6px 10px 6px 0; vertical-align: top }
tr { break-inside: avoid }
td small { display: block; color: ${soft} }
.no { color: ${palette.vermilion}; font-weight: 600 }
ul { margin: 0; padding-left: 18px }
li { break-inside: avoid; margin-bottom: 3px }
.log { columns: 2; column-gap: 32px; font-size: 12px; padding: 0; list-style: none }
.log li { display: grid; grid-template-columns: 104px 60px 1fr; gap: 6px; border-bottom: 1px solid ${line}; padding: 3px 0; margin: 0 }
.log time { color: ${soft}; font-variant-numeric: tabular-nums }
.log i { font-style: normal; font-weight: 600 }
.truth i { color: ${palette.vermilion} } .answer i { color: ${palette.blue} } .action i { color: ${palette.green} } .hint i { color: #9c4f7d }
.symptom i, .alert i { color: ${soft} }
.note { color: ${soft}; font-size: 12px }
@media (max-width: 760px) { .pair { grid-template-columns: 1fr } .log { columns: 1 } header { display: block } header p { text-align: left } }
@media print { body { padding: 0; max-width: none; background: #fff; font-size: 12px } h1 { font-size: 28px } h2 { margin-top: 18px }
  .scores { margin-top: 10px; grid-auto-flow: column; grid-template-columns: none; grid-auto-columns: 1fr } .scores b { font-size: 21px }
  figure svg { max-height: 330px } .pair { margin-top: 6px } .pair svg { max-height: 155px } .details { break-before: page } }
`

/** A page loads and runs nothing, even if markup got into it. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'; base-uri 'none'; form-action 'none'`

const dateText = ({ beganWallSeconds }: GameDay): string =>
  `${new Date(beganWallSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const faultHeads = [
  '',
  'What it was',
  'Whom it hit',
  'Seen after',
  'Placed after',
  'Named after',
  'Over after',
  'Revenue hit',
] as const

/** How long after its beginning something about a fault was said. */
const delayText = (fault: FaultStory, said: Said | null): string =>
  said === null
    ? 'not'
    : `${spanText(Math.max(0, said.at - fault.from))}${said.by === '' ? '' : `, ${said.by}`}`

const overText = (fault: FaultStory): string =>
  fault.to === null ? 'it lasts' : `${spanText(lasted(fault))}, by ${fault.endedBy ?? 'itself'}`

const hintsText = ({ hints }: FaultStory): string =>
  hints.length === 0 ? '' : `; ${hints.length === 1 ? 'a hint' : `${hints.length} hints`} taken`

const harmText = ({ customers }: FaultStory): string =>
  customers.length === 0 ? 'no customer' : listed(customers)

/** The year 5138: the wall clock of a slow world may get beyond what a date can say. */
const wallSecondsMax = 1e11

/** A moment of the session by the clock of the world, and by the wall clock. */
function clocksText({ beganSimSeconds, beganWallSeconds, speed }: GameDay, at: number): string {
  const seconds = beganWallSeconds + (speed === 0 ? 0 : at / speed)
  const wall = new Date(Math.min(wallSecondsMax, seconds) * 1000).toISOString().slice(11, 19)
  return `${clockText(BigInt(Math.floor(beganSimSeconds + at)) * nsPerSecond).split(', ')[1]} (${wall})`
}

const tableNote =
  'Times are those of the world, and in brackets those of the wall clock, in UTC. Faults that last at the same time ' +
  "share their customers' revenue: their lines do not add up to the total."

export function debriefPage(gameDay: GameDay): string {
  const figures = harmFigures(gameDay)?.map(markupOf) ?? null
  const { code } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width"><title>Debrief: ${gameDay.title}</title><style>${markupOf(styles)}</style></head>
<body>
<header><h1>${gameDay.title}</h1><p>${dateText(gameDay)}<br>World: ${gameDay.world}, ${spanText(gameDay.lasts)} at speed ${gameDay.speed}</p></header>
<section class="scores">${scoresOf(gameDay).map(
    ({ name, value, note }) => html`<div><span>${name}</span><b>${value}</b><span>${note}</span></div>`,
  )}</section>
<h2>Who knew what, when</h2>
<figure>${markupOf(timelineFigure(gameDay))}</figure>
${figures === null ? '' : html`<div class="pair"><figure>${figures[0]}</figure><figure>${figures[1]}</figure></div>`}
${harmNote(gameDay)}
<section class="details"><h2>Fault by fault</h2><p class="note">${tableNote}</p>${faultTable(gameDay)}
<h2>What was missed</h2>${missesList(gameDay)}
<h2>The whole game day</h2><ul class="log">${logItems(gameDay)}</ul></section>
</body></html>
`
  return code
}

function harmNote({ harm }: GameDay): Markup | '' {
  if (harm === null) return ''
  const exact = harm.isExact
    ? 'Both curves are of the same world, run again from the same moment: with what the team ordered, and without.'
    : 'The world could not be repeated exactly, as by another version of the program: the curves are estimates.'
  return html`<p class="note">${exact}</p>`
}

function faultTable(gameDay: GameDay): Markup {
  const cell = (fault: FaultStory, said: Said | null): Markup =>
    said === null
      ? html`<td class="no">${delayText(fault, said)}</td>`
      : html`<td>${delayText(fault, said)}</td>`
  const rows = gameDay.faults.map((fault) => {
    const named =
      fault.customers.length > 0 ? `${fault.customersNamed} of ${fault.customers.length} named` : ''
    return html`<tr><td><b>${fault.number}</b></td><td><b>${fault.cause}</b> at ${fault.name}<small>${fault.place}; from ${clocksText(gameDay, fault.from)}${hintsText(fault)}</small></td><td>${harmText(fault)}<small>${named}</small></td>${cell(fault, fault.seen)}${cell(fault, fault.placed)}${cell(fault, fault.named)}<td>${overText(fault)}</td><td>${dollarsText(fault.dollars)}</td></tr>`
  })
  return html`<table><thead><tr>${faultHeads.map((head) => html`<th>${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`
}

function missesList(gameDay: GameDay): Markup {
  const misses = missesOf(gameDay)
  return misses.length === 0
    ? html`<p>Nothing: every fault was named, and every repair was right.</p>`
    : html`<ul>${misses.map((miss) => html`<li>${miss}</li>`)}</ul>`
}

const logItems = (gameDay: GameDay): readonly Markup[] =>
  gameDay.log.map(
    ({ at, kind, text, by }) =>
      html`<li class="${kind}"><time>${clocksText(gameDay, at)}</time><i>${kind}</i><span>${by === '' ? text : `${by}: ${text}`}</span></li>
`,
  )
