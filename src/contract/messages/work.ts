export const workMessages = {
  'event.work-started': '{actor} started: {work}.',
  'event.work-taken-over': '{actor} took over: {work}.',
  'event.work-resumed': '{actor} resumed: {work}.',
  'event.work-interrupted': '{actor} is called away to {where}: {work}.',
  'event.work-blocked': 'On hold because {reason}: {work}.',
  'event.work-finished': '{actor} finished {minutes} after its beginning: {work}.',
  'event.work-called-off': '{work}: no longer needed.',
  'event.hosts-drained': 'The operators drain {hosts} hosts for planned work until about {at}: {names}.',
  'event.scenario-step': '{scenario}: {deed} at {target}.',
  'event.scenario-step-many': '{scenario}: {deed} at {target} and {others} others.',
  'event.scenario-step-missed': '{scenario}: {deed} found no {target} that fits.',
  'event.action-injected': 'Injected: {deed} at {target}.',
  'event.action-injected-many': 'Injected: {deed} at {target} and {others} others.',
  'event.action-injected-missed': 'Injected: {deed} found no {target} that fits.',
  'event.schedule-stopped':
    '{scenario}: {deed} at {target} ends early, as its incident is graver than {band}.',
} as const
