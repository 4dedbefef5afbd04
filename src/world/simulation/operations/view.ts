/** The interface of operations to records. */
export type { Operations } from './operations.ts'
export type { WorkOrder, WorkStep } from './work-order.ts'
