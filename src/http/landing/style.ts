import { themes } from '../../pictures/palette.ts'
import type { Theme } from '../../pictures/palette.ts'
import { elsewhereStyle } from './elsewhere-section.ts'
import { pictureStyle } from './picture-section.ts'

/** The colors of a ground, as pictures have them. */
const variables = ({ ink, soft, line, paper, room, states: [good, accent, , warn, bad] }: Theme): string =>
  `--ink: ${ink}; --soft: ${soft}; --line: ${line}; --paper: ${paper}; --card: ${room}; --accent: ${accent};
  --good: ${good}; --warn: ${warn}; --bad: ${bad};`

export const style = `
:root { color-scheme: light dark; ${variables(themes.light)} }
@media (prefers-color-scheme: dark) { :root { ${variables(themes.dark)} } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 71rem; padding: 2.5rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
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
.figures { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.4rem 0 0; padding: 0; list-style: none; }
.figures li { flex: 1 1 9rem; padding: .7rem 1rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .5rem; }
.figures b { display: block; font-size: 1.15rem; white-space: nowrap; font-weight: 600; font-variant-numeric: tabular-nums; }
.ok { color: var(--good); } .idle, .starting { color: var(--warn); } .stale { color: var(--bad); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: .6rem; margin: 0;
  padding: 0; list-style: none; }
.cards li { display: flex; flex-direction: column; gap: .15rem; padding: .6rem .9rem; background: var(--card);
  border: 1px solid var(--line); border-left: .3rem solid var(--line); border-radius: .5rem; overflow-wrap: anywhere; }
.cards small:empty { display: none; }
.cards b a { color: inherit; text-decoration: underline; text-underline-offset: .15em; }
#incidents .cards, #events .cards { grid-template-columns: 1fr; }
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
${pictureStyle}${elsewhereStyle}`
