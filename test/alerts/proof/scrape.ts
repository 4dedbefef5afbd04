/** As alerts/prometheus.yml has it. */
export const scrapeSeconds = 5
