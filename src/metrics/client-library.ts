/** The client library for the mirror's own metrics: no other file names it, so that its successor is one import away. */
export { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
export type { Metric, MetricObject } from 'prom-client'
