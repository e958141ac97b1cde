/**
 * Runs as a thread for tests of the supervisor. It follows orders, and crashes at once or while closing if its data
 * says so.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ThreadPort } from '../../src/platform/threads/thread-port.ts'

export interface TestOrder {
  readonly do: 'answer' | 'answer slowly' | 'warn' | 'crash' | 'leave' | 'fill' | 'hang'
  readonly id: number
}

export interface TestReport {
  readonly said: string
  /** The id of the order that the message answers. */
  readonly id?: number
}

export interface TestThread {
  readonly data: string
  readonly order: TestOrder
  readonly report: TestReport
}

const port = new ThreadPort<TestThread>()
if (port.data === 'crash') throw new Error('a crash for the test')
let running: Promise<void> = Promise.resolve()

port.tell({ said: port.data })
port.listen(
  (order) => {
    running = carryOut(order)
  },
  () => (port.data === 'fail to close' ? Promise.reject(new Error('it does not close')) : running),
)

async function carryOut({ do: order, id }: TestOrder): Promise<void> {
  switch (order) {
    case 'answer':
      return port.tell({ said: 'answered', id })
    case 'answer slowly':
      await sleep(50)
      return port.tell({ said: 'answered slowly', id })
    case 'warn':
      port.warn('something is odd', new Error('very odd'))
      return port.tell({ said: 'warned', id })
    case 'crash':
      throw new Error('a crash for the test')
    case 'leave':
      return process.exit(3)
    case 'fill':
      return fillHeap()
    case 'hang':
      port.tell({ said: 'hangs' })
      for (;;);
  }
}

function fillHeap(): void {
  for (const rows: number[][] = []; ;) rows.push([rows.length])
}
