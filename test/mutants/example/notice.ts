/** Whether a part is announced as late: from the first day on. */
export const isAnnouncedLate = (days: number): boolean => days > 0
