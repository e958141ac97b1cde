/** The thread that owns the indexes. Reads changes through a database connection of its own. */
import { parentPort, workerData } from 'node:worker_threads'
import { HeapRelease } from '../../platform/threads/heap-release.ts'
import type { IndexSource, SearchAnswer } from '../engine.ts'
import { HeapGuard, heapBytesMax, indexShareOf } from './heap-guard.ts'
import { IndexHost } from './index-host.ts'
import {
  packAnswers,
  packError,
  type PackedError,
  type ToWorker,
  unpackSearches,
  type WorkerOptions,
} from './protocol.ts'

interface SourceModule {
  createSources(options: unknown): Promise<{ sources: IndexSource[]; close(): Promise<void> }>
}

const port = parentPort!
const { sourceModule, sourceOptions, bytesMax, tenantBytesMax = bytesMax / 2 } = workerData as WorkerOptions
const module = (await import(sourceModule)) as SourceModule
const reader = await module.createSources(sourceOptions)
const heapMax = heapBytesMax()
const heapShare = Math.min(bytesMax, indexShareOf(heapMax))
const guard = new HeapGuard(heapMax)
const host = new IndexHost(
  reader.sources,
  { bytesMax, tenantBytesMax, heapBytesMax: heapShare },
  {
    isHeapShort: () => guard.isShort(),
    onCatchUp: (version, isOver) => port.postMessage({ kind: 'catching-up', version, isOver }),
  },
)
port.postMessage({ kind: 'started', heapBytesMax: heapShare })
HeapRelease.start()

let answers: { call: number; answer: SearchAnswer }[] = []
let errors: PackedError[] = []

/** Answers that fall due in one turn of the event loop leave in one message. */
function settle(call: number, outcome: SearchAnswer | null | Error): void {
  if (answers.length + errors.length === 0 && outcome !== null) queueMicrotask(sendAnswers)
  if (outcome === null) port.postMessage({ kind: 'done', call, status: null })
  else if (!(outcome instanceof Error)) answers.push({ call, answer: outcome })
  else errors.push(packError(call, outcome))
}

function sendAnswers(): void {
  const message = packAnswers(answers, errors)
  answers = []
  errors = []
  port.postMessage(message, [message.numbers.buffer as ArrayBuffer])
}

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'search':
      for (const { call, request } of unpackSearches(message)) {
        host.submit({ version: request.version, request, settle: (outcome) => settle(call, outcome) })
      }
      break
    case 'warm':
      host.submit({ version: message.version, request: null, settle: (outcome) => settle(message.call, outcome) })
      break
    case 'drop':
      host.drop(message.tenantId)
      settle(message.call, null)
      break
    case 'status':
      port.postMessage({ kind: 'done', call: message.call, status: host.status() })
      break
    case 'close':
      port.close()
      void reader.close().finally(() => process.exit(0))
  }
})
