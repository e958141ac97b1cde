/** The thread that owns the indexes. It reads changes over its own database connection. */
import { HeapRelease } from '../../platform/threads/heap-release.ts'
import { oldGenerationBytesMax, ThreadPort } from '../../platform/threads/thread-port.ts'
import type { IndexSource, SearchAnswer } from '../engine.ts'
import { HeapGuard, indexShareOf } from './heap-guard.ts'
import { IndexHost } from './index-host.ts'
import {
  packAnswers,
  packError,
  type PackedError,
  type SearchThreadProtocol,
  type ToWorker,
  unpackSearches,
} from './protocol.ts'

interface SourceModule {
  createSources(options: unknown): Promise<{ sources: IndexSource[]; close(): Promise<void> }>
}

const port = new ThreadPort<SearchThreadProtocol>()
const { sourceModule, sourceOptions, bytesMax, tenantBytesMax = bytesMax / 2 } = port.data
const module = (await import(sourceModule)) as SourceModule
const reader = await module.createSources(sourceOptions)
const heapMax = oldGenerationBytesMax()
const heapShare = Math.min(bytesMax, indexShareOf(heapMax))
const guard = new HeapGuard(heapMax)
const host = new IndexHost(
  reader.sources,
  { bytesMax, tenantBytesMax, heapBytesMax: heapShare },
  {
    isHeapShort: () => guard.isShort(),
    onCatchUp: (version, isOver) => port.tell({ kind: 'catching-up', version, isOver }),
  },
)
port.tell({ kind: 'started', heapBytesMax: heapShare })
HeapRelease.start()

let answers: { call: number; answer: SearchAnswer }[] = []
let errors: PackedError[] = []

/** Answers that are ready in one turn of the event loop are sent in one message. */
function settle(call: number, outcome: SearchAnswer | null | Error): void {
  if (answers.length + errors.length === 0 && outcome !== null) queueMicrotask(sendAnswers)
  if (outcome === null) port.tell({ kind: 'done', call, status: null })
  else if (!(outcome instanceof Error)) answers.push({ call, answer: outcome })
  else errors.push(packError(call, outcome))
}

function sendAnswers(): void {
  const message = packAnswers(answers, errors)
  answers = []
  errors = []
  port.tell(message, [message.numbers.buffer as ArrayBuffer])
}

function take(message: ToWorker): void {
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
      port.tell({ kind: 'done', call: message.call, status: host.status(message.tenantId) })
  }
}

port.listen(take, () => reader.close())
