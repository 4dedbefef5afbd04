/** The door to practice: its commands, each loaded when it runs. */
export const practiceCommands = {
  act: async () => (await import('./commands/act.ts')).runAct,
  answer: async () => (await import('./commands/answer.ts')).runAnswer,
  hint: async () => (await import('./commands/hint.ts')).runHint,
  debrief: async () => (await import('./commands/debrief.ts')).runDebrief,
  'what-if': async () => (await import('./commands/what-if.ts')).runWhatIf,
  cases: async () => (await import('./commands/labeled-cases/cases.ts')).runCases,
  score: async () => (await import('./commands/labeled-cases/score.ts')).runScore,
  report: async () => (await import('./commands/report.ts')).runReport,
}
