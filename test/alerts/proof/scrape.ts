/** The scrape interval in alerts/prometheus.yml. */
export const scrapeSeconds = 5
