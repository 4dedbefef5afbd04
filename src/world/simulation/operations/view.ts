/** The interface of operations to records. */
export type { Operations } from './operations.ts'
export { isOfOperators, type WorkOrder, type WorkStep } from './work-order.ts'
