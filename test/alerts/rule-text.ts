import type { inhibitions } from '../../alerts/notifications/inhibitions.ts'
import type { Alert, Recording, RuleGroup } from '../../alerts/rule.ts'

/**
 * Rules in a form to review: without the labels of targets and the prefix of metrics. A joined info family is
 * `[name from customer_info by customer]`. `still: firing by host` is the whole clause for a world that stands still: the
 * condition counts only where the alert fires already; with `still: kept`, a recorded value stays what it was.
 */

const target = 'job, instance, session'
const paused = '\\(dcsim_sim_paused == 1 or changes\\(dcsim_sim_time_seconds\\[1m\\]\\) == 0\\)'
/** Where the world moves the condition, or behind that what holds while it stands still. */
const movingOr = (still: string): RegExp =>
  new RegExp(`^\\((?<moving>[^]*)\\nunless on \\(${target}\\)\\n${paused}\\)\\nor\\n\\(${still}\\)$`)
const stillFiring = (name: string): RegExp =>
  movingOr(
    `\\k<moving>\\nand on \\(${target}(?<key>[^)]*)\\)\\nALERTS{alertname="${name}", alertstate="firing"}`,
  )
const stillKept = (name: string): RegExp => movingOr(`${name}\\nand on \\(${target}\\)\\n${paused}`)

const joined =
  / \* on \(job, instance, session(?<key>[^)]*)\) group_left \((?<added>[^)]*)\) max by \(job, instance, session\k<key>, \k<added>\) \((?<info>[^()]*)\)/g

/** Labels that are looked up for the whole clause. */
const labeledLast = /^\((?<aware>[^]*)\)(?<added> \* on \([^)]*\) group_left .*)$/

const withoutComma = (labels: string): string => labels.replace(/^, /, '')

/** An operand of several terms stands in parentheses. */
const bare = (operand: string): string => (operand.startsWith('(') ? operand.slice(1, -1) : operand)

const condition = (expr: string): string =>
  expr
    .replaceAll(joined, (...match) => {
      const { key, added, info } = match.at(-1) as Record<'key' | 'added' | 'info', string>
      return ` [${added} from ${info} by ${withoutComma(key)}]`
    })
    .replaceAll(/job, instance, session(?:, )?/g, '')
    .replaceAll(/ (?:by|on) \(\)/g, '')
    .replaceAll('dcsim_', '')
    .replaceAll('\n', '\n  ')

const templates = (text: string): string => text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '{$1}')

function recordingText({ record, expr, labels }: Recording): string {
  const moving = stillKept(record).exec(expr)?.groups?.['moving']
  const added = Object.entries(labels).map(([label, value]) => `${label}=${value}`)
  const head = [record.replace('dcsim_', ''), ...added, ...(moving === undefined ? [] : ['still: kept'])]
  return `${head.join(' | ')}\n  ${condition(moving === undefined ? expr : bare(moving))}`
}

function alertText({ alert, expr, for: holds, keepFiringFor, labels, annotations }: Alert): string {
  const { severity, category: _, ...others } = labels
  const { aware = expr, added = '' } = labeledLast.exec(expr)?.groups ?? {}
  const { moving, key } = stillFiring(alert).exec(aware)?.groups ?? {}
  const [path, query = ''] = annotations.dashboard_url.split('?')
  const variables = query.replaceAll(
    /var-(\w+)=\{\{ \$labels\.(\w+) \| urlquery \}\}/g,
    (_text, name, label) => (name === label ? name : `${name}={${label}}`),
  )
  const head = [
    alert.replace('Dcsim', ''),
    severity,
    ...(holds === null ? [] : [`for ${holds}`]),
    ...(keepFiringFor === null ? [] : [`keeps ${keepFiringFor}`]),
    ...(moving === undefined ? [] : [`still: firing${key === '' ? '' : ` by ${withoutComma(key)}`}`]),
    ...Object.entries(others).map(([label, value]) => `${label} ${templates(value)}`),
    [path.replace('http://127.0.0.1:3000/d/dcsim-', 'opens '), variables.replaceAll('&', ' ')]
      .join(' ')
      .trim(),
  ]
  const whole = added === '' ? bare(moving ?? '') : `${moving}${added}`
  return `${head.join(' | ')}\n  ${condition(moving === undefined ? expr : whole)}`
}

export const rulesText = ({ recordings, alerts }: RuleGroup): string =>
  `${[...recordings.map(recordingText), ...alerts.map(alertText)].join('\n\n')}\n`

const matchersText = (matchers: readonly string[]): string =>
  matchers
    .join(' ')
    .replaceAll(/alertname=~?"Dcsim\(?([^)"]*)\)?"/g, (_, names: string) => names.replaceAll('|', ', '))

/** `SwitchDown role="edge" silences HostDown, by rack`. */
export const inhibitionsText = (rules: ReturnType<typeof inhibitions>): string =>
  rules
    .map(({ source_matchers, target_matchers, equal }) => {
      const by = withoutComma(equal.join(', ').replace(target, ''))
      return `${matchersText(source_matchers)}\n  silences ${matchersText(target_matchers)}${by === '' ? '' : `, by ${by}`}\n`
    })
    .join('')
