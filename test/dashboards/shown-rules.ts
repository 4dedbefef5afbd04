import { generatedFiles } from '../../alerts/render.ts'
import { defaultSettings } from '../../alerts/settings.ts'

/** The subjects of the rules whose recorded series dashboards read, directly or through other rules. */
const subjects: ReadonlySet<string> = new Set(['clock', 'incidents', 'network', 'sla', 'trends'])

/** The rule files of these subjects, by name. */
export const shownRules: ReadonlyMap<string, string> = new Map(
  [...generatedFiles(defaultSettings)].filter(([name]) => subjects.has(name.replace('.rules.yaml', ''))),
)
