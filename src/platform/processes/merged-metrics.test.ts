import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter, Histogram, Registry } from 'prom-client'
import { mergedMetrics } from './merged-metrics.ts'

test('the metrics of two processes are one exposition, in which each metric is described once', async () => {
  const merged = mergedMetrics([await exposition(1), await exposition(2)])
  assert.deepEqual(merged.match(/^# HELP .*$/gm), ['# HELP asked_total asked', '# HELP took_seconds took'])
  assert.match(merged, /asked_total\{process="1"\} 1\nasked_total\{process="2"\} 2\n/)
  const counts = [...merged.matchAll(/^took_seconds_count\{process="(\d)"\} (\d)$/gm)].map(([, process, n]) => [
    process,
    n,
  ])
  assert.deepEqual(counts, [
    ['1', '1'],
    ['2', '1'],
  ])
})

test('a metric that one process alone has stays with it', async () => {
  const alone = new Registry()
  new Counter({ name: 'backups_total', help: 'backups', registers: [alone] }).inc(3)
  const merged = mergedMetrics([await exposition(1), await alone.metrics()])
  assert.match(merged, /# HELP backups_total backups\n# TYPE backups_total counter\nbackups_total 3\n$/)
})

test('a metric that a new process describes in other words has the first description alone', async () => {
  const described = (process: number, help: string): Promise<string> => {
    const registry = new Registry()
    registry.setDefaultLabels({ process })
    new Counter({ name: 'asked_total', help, registers: [registry] }).inc(process)
    return registry.metrics()
  }
  const merged = mergedMetrics([await described(1, 'asked'), await described(2, 'questions asked')])
  assert.equal(
    merged,
    `# HELP asked_total asked
# TYPE asked_total counter
asked_total{process="1"} 1
asked_total{process="2"} 2
`,
  )
})

async function exposition(process: number): Promise<string> {
  const registry = new Registry()
  registry.setDefaultLabels({ process })
  new Counter({ name: 'asked_total', help: 'asked', registers: [registry] }).inc(process)
  new Histogram({ name: 'took_seconds', help: 'took', buckets: [1, 2], registers: [registry] }).observe(1.5)
  return registry.metrics()
}
