import type { Registry } from 'prom-client'
import { publishGauge } from './gauges.ts'

/** Functions that return how much waits in a queue now, by the name of the queue. */
export type Queues = Readonly<Record<string, () => number | Promise<number>>>

/** Publishes how much waits in the queues of this process. A queue that cannot say so is left out. */
export function watchQueues(registry: Registry, queues: Queues): void {
  publishGauge(
    registry,
    {
      name: 'queue_waiting',
      help:
        'What waits in a queue: requests to begin or to go on (requests, slices), pages to be made (pages), searches ' +
        'without an answer (searches), passwords to be hashed (passwords), searches and clicks to be logged ' +
        '(search_log), mail to be sent (mail)',
      labelNames: ['queue'],
    },
    async () => {
      const readings = Object.entries(queues).map(async ([queue, read]) => ({ labels: { queue }, value: await read() }))
      const settled = await Promise.allSettled(readings)
      return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    },
  )
}
