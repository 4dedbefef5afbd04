import { bool, id, int, list, listOf, ns, nullable, num, oneOf, defineRecord, str } from '../fields.ts'
import {
  bands,
  blockings,
  compliances,
  entityKinds,
  eventKinds,
  questStates,
  rootKinds,
  severities,
  symptomKinds,
  tiers,
  timelineKinds,
  workActors,
  workOrderKinds,
  workStepKinds,
} from '../vocabularies.ts'
import { messageArgumentList } from './shared.ts'

const ArticleSchema = defineRecord('Article', 'A help article.', {
  id: str('Id of the article.'),
  title: str('Title, with markup.'),
  title_plain: str('Title.'),
})

export const CauseSchema = defineRecord('Cause', 'A cause that is considered.', {
  root_kind: oneOf(rootKinds, 'Kind of fault.'),
  entity_id: nullable(id('What would be at fault.')),
  rack_id: nullable(id('Rack that it stands in.')),
  msg_key: str('Key of its description.'),
  msg_args: messageArgumentList('Arguments of that description.'),
  confidence: int('How sure we are.', 'pct'),
  confirmed: bool('Whether diagnosis confirmed it.'),
  cleared: bool('Whether diagnosis ruled it out.'),
  articles: listOf(ArticleSchema, 'What helps with this kind of fault.'),
})

const TimelineEntrySchema = defineRecord('TimelineEntry', 'Something that happened to an incident.', {
  at_ns: ns('When.'),
  kind: oneOf(timelineKinds, 'What kind of thing.'),
  detail: str('What, in words.'),
})

const EvidenceSchema = defineRecord('Evidence', 'An observation that speaks for or against a cause.', {
  label: str('What was observed, with markup.'),
  label_plain: str('What was observed.'),
  value: str('The reading, with markup.'),
  value_plain: str('The reading.'),
  detail: str('What it means, with markup.'),
  detail_plain: str('What it means.'),
  leading: bool('Whether it is the strongest that supports the likeliest cause.'),
})

const SpecifiedIncidentSchema = defineRecord(
  'Incident',
  'Something wrong, as an operator sees it: symptom first, then causes.',
  {
    id: id('Id of the incident.'),
    root_kind: oneOf(rootKinds, 'Kind of fault behind it; Unknown until confirmed.'),
    root_entity_id: nullable(id('What is at fault, once confirmed.')),
    rack_id: nullable(id('Rack that it stands in.')),
    root_msg_key: str('Key of the description of the cause.'),
    root_msg_args: messageArgumentList('Arguments of that description.'),
    symptom_kind: oneOf(symptomKinds, 'What was noticed.'),
    symptom_msg_key: str('Key of the description of the symptom.'),
    symptom_msg_args: messageArgumentList(
      'Arguments of that description; `until`, a time, if it is over; `others`, how many are like it.',
    ),
    symptom_customer_id: nullable(id('Customer at whom it was noticed.')),
    confirmed: bool('Whether the cause is confirmed.'),
    causes: listOf(CauseSchema, 'Causes considered, most likely first.'),
    started_at_ns: ns('When it was opened.'),
    last_changed_at_ns: ns('When anything about it last changed.'),
    resolved_at_ns: nullable(ns('When its consequences had ended.')),
    affected_customer_ids: list(
      id('Id of a customer.'),
      'Customers that feel it; once resolved, those at its worst.',
    ),
    affected_host_ids: list(id('Id of a host.'), 'Hosts concerned, the first 50.'),
    affected_host_total: int('Hosts concerned.'),
    revenue_at_risk_per_hour_dollars: num(
      'Revenue at risk; once resolved, at its worst.',
      'dollars_per_hour',
    ),
    max_sla_tier: nullable(oneOf(tiers, 'Highest plan among the customers that feel it.')),
    compliance_at_risk: nullable(oneOf(compliances, 'Strictest rule book that may be violated.')),
    redundancy_promise_broken: bool('Whether something promised to be redundant is not.'),
    band: oneOf(bands, 'Gravity; once resolved, the highest it had.'),
    timeline: listOf(TimelineEntrySchema, 'What happened, oldest first.'),
    work_order_ids: list(id('Id of a work order.'), 'Work ordered because of it.'),
    channel_thread_id: nullable(id("Thread in the operators' channel.")),
    articles: listOf(ArticleSchema, 'What helps with it.'),
    hint_tier: int('How far hints have gone: 0 none, 3 plain words.', 'index'),
    hint: nullable(str('What to look at next.')),
    evidence: listOf(EvidenceSchema, 'What was observed, strongest first.'),
  },
)

export const IncidentSchema = { ...SpecifiedIncidentSchema, extras: ['headline'] }

export const WorkStepSchema = defineRecord('WorkStep', 'A step of a work order.', {
  kind: oneOf(workStepKinds, 'What is done.'),
  detail: str('What is done, in words.'),
  started_at_ns: nullable(ns('When it was begun.')),
  completed_at_ns: nullable(ns('When it was finished.')),
  estimated_duration_ns: nullable(ns('How long it should take.')),
  actual_duration_ns: nullable(ns('How long it took.')),
})

export const WorkOrderSchema = defineRecord('WorkOrder', 'Work by staff or automation.', {
  id: id('Id of the work order.'),
  kind: oneOf(workOrderKinds, 'Kind of work.'),
  kind_label: str('Kind of work and its object, for people.'),
  actor: oneOf(workActors, 'Who does it.'),
  actor_staff_id: nullable(id('Member of staff who does it.')),
  started_at_ns: nullable(ns('When the first step was begun.')),
  last_progress_at_ns: nullable(ns('When a step was last begun or finished.')),
  resolved_at_ns: nullable(ns('When the last step was finished.')),
  current_step: int('Step under way, from 0; the number of steps when all are done.', 'index'),
  steps: listOf(WorkStepSchema, 'Steps in order.'),
  blocking: nullable(oneOf(blockings, 'What keeps it waiting.')),
  incident_id: nullable(id('Incident that it serves.')),
})

export const QuestSchema = defineRecord('Quest', 'A goal.', {
  id: id('Id of the quest.'),
  title: str('Key of the title.'),
  blurb: str('Key of the text.'),
  title_args: messageArgumentList('Arguments of the title.'),
  blurb_args: messageArgumentList('Arguments of the text.'),
  state: oneOf(questStates, 'Where it stands; Next is the one to show.'),
  unlock_step: int('Quests that must be done before it opens.', 'index'),
  reward_label: str('What it brings.'),
})

export const EngineEventSchema = defineRecord('EngineEvent', 'Something that happened in the world.', {
  at_ns: ns('When. Strictly increasing over the events of a world.'),
  kind: oneOf(eventKinds, 'What kind of thing.'),
  msg_key: str('Key of the message.'),
  msg_args: messageArgumentList('Arguments of the message.'),
  severity: oneOf(severities, 'How much it matters.'),
  entity_kind: oneOf(entityKinds, 'What kind of thing it happened to.'),
  entity_id: nullable(id('To which one.')),
})
