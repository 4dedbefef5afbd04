/** What records read of facilities. */
export { ageHours, conditionPct, mtbfAt, resaleDollars } from './depreciation.ts'
export { fansHighCelsius, throttleCelsius } from './limits.ts'
