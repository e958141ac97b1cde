import type { Registry } from 'prom-client'
import type { Packages } from './packages.ts'

type HrTime = readonly [seconds: number, nanoseconds: number]

/**
 * A metric as prom-client returns it. A histogram has a value for each bound, and one each for its sum and its count.
 */
interface Metric {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly values: readonly {
    readonly value: number
    readonly labels: Readonly<Record<string, string | number>>
    readonly metricName?: string
  }[]
}

interface Histogram {
  readonly attributes: Readonly<Record<string, string | number>>
  readonly boundaries: number[]
  /** Number of observations up to each boundary; the last number counts all. */
  readonly upTo: number[]
  sum: number
}

/**
 * Returns a MetricProducer, as the specification of OpenTelemetry's SDK calls it. A reader of the SDK gets the metrics
 * of `/metrics` from it, under the same names, so that nothing is counted twice.
 */
export function metricBridge(packages: Packages, registry: Registry): object {
  const startTime = timeOf(Date.now())
  const { AggregationTemporality, DataPointType, api } = packages
  const collect = async () => {
    const all = (await registry.getMetricsAsJSON()) as unknown as readonly Metric[]
    const endTime = timeOf(Date.now())
    const metrics = all.map((metric) => {
      const { name, help, type, values } = metric
      const about = {
        descriptor: {
          name,
          description: help,
          unit: name.includes('_seconds') ? 's' : '',
          valueType: api.ValueType.DOUBLE,
        },
        aggregationTemporality: AggregationTemporality.CUMULATIVE,
      }
      const point = (attributes: object, value: unknown) => ({ startTime, endTime, attributes, value })
      if (type === 'histogram') {
        const dataPoints = histogramsOf(metric).map((each) => point(each.attributes, valueOf(each)))
        return { ...about, dataPointType: DataPointType.HISTOGRAM, dataPoints }
      }
      const dataPoints = values.map(({ labels, value }) => point(labels, value))
      return type === 'counter'
        ? { ...about, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
        : { ...about, dataPointType: DataPointType.GAUGE, dataPoints }
    })
    const scopeMetrics = [{ scope: { name: 'knowledge-service' }, metrics }]
    // The reader puts the SDK's resource in place of this one.
    return { resourceMetrics: { resource: packages.defaultResource(), scopeMetrics }, errors: [] }
  }
  return { collect }
}

function histogramsOf({ name, values }: Metric): Histogram[] {
  const histograms = new Map<string, Histogram>()
  for (const { metricName, value, labels } of values) {
    const { le, ...attributes } = labels
    const key = JSON.stringify(attributes)
    const histogram = histograms.get(key) ?? { attributes, boundaries: [], upTo: [], sum: 0 }
    histograms.set(key, histogram)
    if (metricName === `${name}_sum`) histogram.sum = value
    else if (le !== undefined) {
      histogram.upTo.push(value)
      if (le !== '+Inf') histogram.boundaries.push(Number(le))
    }
  }
  return [...histograms.values()]
}

/**
 * Returns the value of a histogram with the count of each bucket alone. Prometheus adds the counts of all lower
 * buckets.
 */
function valueOf({ boundaries, upTo, sum }: Histogram): object {
  const counts = upTo.map((count, i) => count - (upTo[i - 1] ?? 0))
  return { buckets: { boundaries, counts }, sum, count: upTo.at(-1) ?? 0 }
}

function timeOf(ms: number): HrTime {
  return [Math.floor(ms / 1_000), Math.round(ms % 1_000) * 1_000_000]
}
