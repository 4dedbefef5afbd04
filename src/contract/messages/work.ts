export const workMessages = {
  'event.work-started': '{actor} began: {work}.',
  'event.work-blocked': '{work} waits: {reason}.',
  'event.work-finished': '{actor} finished: {work}, {minutes} min after it was ordered.',
  'event.work-called-off': '{work}: it is no longer needed.',
  'event.scenario-step': '{scenario}: {deed} at {target}.',
  'event.scenario-step-many': '{scenario}: {deed} at {target} and {others} others.',
  'event.scenario-step-missed': '{scenario}: {deed} found no {target} that fits.',
} as const
