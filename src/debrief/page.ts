/** A debrief as one page without references to elsewhere, for a browser and for paper. */
import { palette, themes } from '../pictures/palette.ts'
import { spanText } from '../words/moments.ts'
import { dollarsText } from '../words/phrases.ts'
import type { Evening } from './evening.ts'
import { harmFigures, timelineFigure } from './figures.ts'
import { scoresOf, missesOf } from './scores.ts'
import {
  dateText,
  delayText,
  faultHeads,
  hintsText,
  harmText,
  overText,
  titleOf,
  wallClockText,
} from './phrases.ts'

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
.log li { display: grid; grid-template-columns: 58px 68px 1fr; gap: 6px; border-bottom: 1px solid ${line}; padding: 3px 0; margin: 0 }
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

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => entities[one])

export function debriefPage(evening: Evening): string {
  const figures = harmFigures(evening)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(titleOf(evening))}</title><style>${styles}</style></head>
<body>
<header><h1>${escaped(evening.title)}</h1><p>${dateText(evening)}<br>World: ${escaped(evening.world)}, ${spanText(evening.lasts)} at speed ${evening.speed}</p></header>
<section class="scores">${scoresOf(evening)
    .map(
      ({ name, value, note }) =>
        `<div><span>${name}</span><b>${escaped(value)}</b><span>${escaped(note)}</span></div>`,
    )
    .join('')}</section>
<h2>Who knew what, when</h2>
<figure>${timelineFigure(evening)}</figure>
${figures === null ? '' : `<div class="pair"><figure>${figures[0]}</figure><figure>${figures[1]}</figure></div>`}
${harmNote(evening)}
<section class="details"><h2>Fault by fault</h2>${faultTable(evening)}
<h2>What was missed</h2>${missesList(evening)}
<h2>The whole evening</h2><ul class="log">${logItems(evening)}</ul></section>
</body></html>
`
}

function harmNote({ harm }: Evening): string {
  if (harm === null) return ''
  const exact = harm.isExact
    ? 'Both curves are of the same world, run again from the same moment: with what the team ordered, and without.'
    : 'The world could not be repeated exactly, as by another version of the program: the curves are estimates.'
  return `<p class="note">${exact}</p>`
}

function faultTable(evening: Evening): string {
  const cell = (text: string, isMissed: boolean): string =>
    `<td${isMissed ? ' class="no"' : ''}>${escaped(text)}</td>`
  const rows = evening.faults.map(
    (fault) =>
      `<tr><td><b>${fault.number}</b></td><td><b>${escaped(fault.cause)}</b> at ${escaped(fault.name)}<small>${escaped(fault.place)}; from ${wallClockText(evening, fault.from)}${hintsText(fault)}</small></td>` +
      `<td>${escaped(harmText(fault))}<small>${fault.customers.length > 0 ? `${fault.customersNamed} of ${fault.customers.length} named` : ''}</small></td>` +
      cell(delayText(fault, fault.seen), fault.seen === null) +
      cell(delayText(fault, fault.placed), fault.placed === null) +
      cell(delayText(fault, fault.named), fault.named === null) +
      `<td>${overText(fault)}</td><td>${dollarsText(fault.dollars)}</td></tr>`,
  )
  return `<table><thead><tr>${faultHeads.map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function missesList(evening: Evening): string {
  const misses = missesOf(evening)
  return misses.length === 0
    ? '<p>Nothing: every fault was named, and every repair was right.</p>'
    : `<ul>${misses.map((miss) => `<li>${escaped(miss)}</li>`).join('')}</ul>`
}

const logItems = (evening: Evening): string =>
  evening.log
    .map(
      ({ at, kind, text, by }) =>
        `<li class="${kind}"><time>${wallClockText(evening, at)}</time><i>${kind}</i><span>${escaped(by === '' ? text : `${by}: ${text}`)}</span></li>`,
    )
    .join('\n')
