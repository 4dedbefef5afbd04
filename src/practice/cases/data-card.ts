/** The page that comes with a set of cases. */
import { markdownTable } from '../../text/text-table.ts'
import { caseKinds } from './plan.ts'
import { chosenSeries } from './series.ts'

interface Contents {
  readonly version: string
  readonly command: string
  /** Cases by tier and by kind of fault, and discarded candidates by reason. */
  readonly tiers: ReadonlyMap<string, number>
  readonly kinds: ReadonlyMap<string, number>
  readonly discarded: ReadonlyMap<string, number>
}

const countTable = (head: string, counts: ReadonlyMap<string, number>): string => {
  const rows = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return markdownTable([[head, 'Count'], ...rows.map(([name, count]) => [name, String(count)])])
}

export const dataCard = ({
  version,
  command,
  tiers,
  kinds,
  discarded,
}: Contents): string => `# Labeled cases of a simulated data center

Made by \`${command}\`, version ${version}. The same command of the same version writes the same bytes, and the file
\`command\` of a case makes that case alone.

The cases are under [CC-BY-4.0](https://creativecommons.org/licenses/by/4.0/): share and change them, and name dcsim-mirror
and this version as the source. CITATION.cff in the repository of the program has the form of a citation.

${countTable('Tier', tiers)}

${countTable('Kind of fault', kinds)}

${countTable('Discarded candidates', discarded)}

## Files

- \`cases/NAME\` is all that a diagnosis may read. \`metrics.csv\` has a row a minute for two hours and a column
  \`entity_metric\` for each series; \`logs.jsonl\` the events, with what monitoring notices and no cause;
  \`topology.csv\` the edges, from what acts to what is acted on, with the first and last minute at which they are there.
- \`truth/NAME\` has the faults, their effects with the first time and where they come from, the hurt customers with the
  path to each, what the simulated operators blame, and the command.
- \`rcaeval\`, \`petshop\` and \`openrca\` have the same series in those forms, with the truth in the names of folders or
  beside. The first two leave out overlapping faults, and \`rcaeval\` and \`openrca\` healthy cases.
- \`splits.json\` has the names of the cases for training, validation and tests: all cases of a world are in one.

## Tiers

\`gauge\`: a status of the broken part shows it. \`consequences\`: none does. \`overlapping\`: two faults, each of which
hurts a customer. \`incomplete\`: 30 % of the entities without telemetry, and gaps in others. \`healthy\`: nothing, a drained host, or
a surge of demand, which hurt no customer.

## Method

Nothing is done in the first half hour. Every fault hurt a customer who would not have been hurt without it, by worlds that are the same but for it; effects and paths
are the differences of such worlds. Candidates that do not stand this are discarded and counted above. Action and target
are drawn among all that fit, without regard to names: equal places are equally likely.

Kinds of faults: ${caseKinds.join(', ')}.

Series, the same in every case: ${chosenSeries.join(', ')}. Totals are the increase since the row before.

## Limits

A simulated world tests reasoning over topology and metrics, not the mess of real telemetry. Faults are those of the
simulation, one at a time or two; worlds are small companies of one data center, two to four days old. Operators repair
nothing within the window. Other faults are there, without a label, as long as they hurt no customer who was not hurt at the beginning.
The effects of a fault on what people do, buy and pay have no path.
`
