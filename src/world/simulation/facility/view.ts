/** The interface of the facility to records. */
export { showsStopped, shownCoolingKw } from './cooling.ts'
export { ageHours, conditionPct, mtbfAt, resaleDollars } from './depreciation.ts'
export { fansHighCelsius, throttleCelsius } from './limits.ts'
