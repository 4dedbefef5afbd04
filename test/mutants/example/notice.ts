/** Whether a part is announced as late: from the first day on. */
export const isLate = (days: number): boolean => days > 0
