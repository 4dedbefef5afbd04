/**
 * The scenario language for the rest of the program: scenario files, lines of an actions file, actions as command
 * words.
 */
export { type ActionLine, parseActionLine } from './scenarios/action-line.ts'
export { actionReference } from './scenarios/action-reference.ts'
export { actionLineOf } from './scenarios/action-words.ts'
export { breakingActions } from './scenarios/parse-action.ts'
export { actionRules } from './simulation/scenarios/scenario.ts'
export { parseScenario } from './scenarios/parse-scenario.ts'
export { describeScenarios, scenarioStart } from './scenarios/scenario-start.ts'
export { listScenarios, shippedScenario } from './scenarios/shipped.ts'
export { remedies } from './simulation/faults/remedies.ts'
export type { Scenario } from './simulation/scenarios/scenario.ts'
