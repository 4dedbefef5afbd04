import { themes } from '../../pictures/palette.ts'
import type { Theme } from '../../pictures/palette.ts'
import { otherDevicesStyle } from './other-devices-section.ts'
import { pictureStyle } from './picture-section.ts'

/** The colors of a ground, as pictures have them. */
const variables = ({ ink, soft, line, paper, room, states: [good, accent, , warn, bad] }: Theme): string =>
  `--ink: ${ink}; --soft: ${soft}; --line: ${line}; --paper: ${paper}; --card: ${room}; --accent: ${accent};
  --good: ${good}; --warn: ${warn}; --bad: ${bad};`

export const style = `
:root { color-scheme: light dark; ${variables(themes.light)} }
@media (prefers-color-scheme: dark) { :root { ${variables(themes.dark)} } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 71rem; padding: 1rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.7rem; letter-spacing: -.01em; }
h2 { margin: 2.2rem 0 .7rem; font-size: 1.15rem; }
h3 { margin: 1.4rem 0 .3rem; font-size: .95rem; color: var(--soft); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .2rem; }
p { margin: .5rem 0; max-width: 46rem; }
.soft, small { color: var(--soft); }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
header a, main p a { text-decoration: underline; }
code, pre { font: .88em/1.6 ui-monospace, monospace; }
pre { margin: 0; padding: .9rem 1.1rem; overflow-x: auto; background: var(--card); border: 1px solid var(--line);
  border-radius: .5rem; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.5rem; font-size: .9rem; }
header p, header nav { margin: 0 0 .4rem; }
.world { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .6rem 2rem; margin: .4rem 0 .8rem; }
.world h1 { font-size: 2.4rem; line-height: 1.1; } .world p { margin: .2rem 0 0; }
.figures { display: flex; flex-wrap: wrap; gap: .3rem 1.6rem; margin: 0; padding: 0; list-style: none; line-height: 1.3; }
.figures b { display: block; font-size: 1.1rem; white-space: nowrap; font-weight: 600; font-variant-numeric: tabular-nums; }
.severity0 { color: var(--good); } .severity1 { color: var(--accent); } .severity2 { color: var(--warn); }
.severity3, .severity4 { color: var(--bad); }
#reason:not(:empty) { padding: .5rem .9rem; border: 1px solid var(--bad); border-radius: .5rem; }
.now { display: flex; flex-wrap: wrap; gap: .8rem 1.5rem; }
.now > section { min-width: 0; } #incidents { flex: 1 1 22rem; } #incidents:has(p:empty) { display: none; } .now .picture { flex: 0 1 auto; max-width: 100%; }
.all { font-size: .85rem; font-weight: 400; margin-left: .4rem; }
.ok { color: var(--good); } .idle, .starting { color: var(--warn); } .stale { color: var(--bad); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: .6rem; margin: 0;
  padding: 0; list-style: none; }
.cards li { color: var(--ink); display: flex; flex-direction: column; gap: .15rem; padding: .6rem .9rem; background: var(--card);
  border: 1px solid var(--line); border-left: .3rem solid var(--line); border-radius: .5rem; overflow-wrap: anywhere; }
.cards small:empty { display: none; }
.cards b a { color: inherit; text-decoration: underline; text-underline-offset: .15em; }
#incidents .cards { grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); }
#events .cards { grid-template-columns: 1fr; }
@media (max-width: 40rem) { .world h1 { font-size: 1.9rem; } header p, header nav { margin: 0; }
  .figures { gap: .2rem 1rem; } .figures b { font-size: 1rem; } .figures small, #incidents li { font-size: .88rem; }
  #incidents .cards { display: flex; overflow-x: auto; }
  #incidents .cards li { flex: 0 0 92%; } #incidents .cards li:only-child { flex-basis: 100%; } }
.cards .event { padding: .35rem .9rem; }
.cards .severity1 { border-left-color: var(--accent); } .cards .severity2 { border-left-color: var(--warn); }
.cards .severity3, .cards .severity4 { border-left-color: var(--bad); }
.cards .severity4 b { color: var(--bad); }
.programs { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.programs li { padding: .5rem 1rem; border: 1px solid var(--accent); border-radius: .5rem; }
.programs small { margin-left: .6rem; }
.routes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: .1rem 1.5rem;
  margin: 0; padding: 0; list-style: none; }
.routes li { padding: .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.routes small { display: block; }
table { border-collapse: collapse; font-size: .85rem; width: max-content; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; max-width: 24rem; }
th { position: sticky; top: 0; background: var(--card); } td { white-space: pre-line; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
progress { width: min(30rem, 100%); accent-color: var(--accent); }
.pictures img { width: 100%; max-height: 26rem; object-fit: contain; object-position: left; }
${pictureStyle}${otherDevicesStyle}`
