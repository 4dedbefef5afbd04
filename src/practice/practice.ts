/** The door to practice: its commands, each loaded when it runs. */
export const practiceCommands = {
  act: async () => (await import('./commands/game-day.ts')).runAct,
  answer: async () => (await import('./commands/game-days/answer.ts')).runAnswer,
  hint: async () => (await import('./commands/game-days/answer.ts')).runHint,
  debrief: async () => (await import('./commands/game-days/debrief.ts')).runDebrief,
  'what-if': async () => (await import('./commands/what-if.ts')).runWhatIf,
  cases: async () => (await import('./commands/labeled-cases/cases.ts')).runCases,
  score: async () => (await import('./commands/labeled-cases/score.ts')).runScore,
  report: async () => (await import('./commands/game-day.ts')).runReport,
}
