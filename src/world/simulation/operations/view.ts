/** What records read of operations. */
export type { Operations } from './operations.ts'
export type { WorkOrder, WorkStep } from './work-order.ts'
