import type { IncidentRecord } from '../../../contract/collections.ts'
import type { Article } from '../../simulation/incidents/diagnosis/cause-diagnosis.ts'
import { withoutMarkup } from '../../simulation/incidents/diagnosis/confidence.ts'
import type { Observation } from '../../simulation/incidents/model.ts'

/** Bound of the observations in a record. */
export const evidenceMax = 10

export const articleRecord = ({ id, title }: Article) => ({ id, title, title_plain: withoutMarkup(title) })

export const evidenceRecord = (
  { label, value, detail }: Pick<Observation, 'label' | 'value' | 'detail'>,
  leading: boolean,
): IncidentRecord['evidence'][number] => ({
  label,
  label_plain: withoutMarkup(label),
  value,
  value_plain: withoutMarkup(value),
  detail,
  detail_plain: withoutMarkup(detail),
  leading,
})
