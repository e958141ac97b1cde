/** The thread that owns the indexes. It reads changes over a database connection of its own. */
import { setTimeout as sleep } from 'node:timers/promises'
import { HeapRelease } from '../../../platform/threads/heap-release.ts'
import { threadSlices } from '../../../platform/threads/slices.ts'
import { oldGenerationBytesMax, ThreadPort } from '../../../platform/threads/thread-port.ts'
import type { IndexSource, SearchAnswer } from '../../engine.ts'
import { holds } from '../../tenant-share.ts'
import { UnnamedFiles } from '../columns/index-files.ts'
import type { IndexEvent } from '../index/index-event.ts'
import { HeapGuard, indexShareOf } from './heap-guard.ts'
import { Follower, type StateReader } from './follower.ts'
import { IndexHost } from './index-host.ts'
import { SnapshotFiles } from '../index/snapshots/snapshot-files.ts'
import { Snapshots } from '../index/snapshots/snapshots.ts'
import { TenantLoads } from './tenant-loads.ts'
import {
  packAnswers,
  packError,
  type PackedError,
  type SearchThreadProtocol,
  type ToWorker,
  unpackSearches,
  WARM_WITHIN_MS,
} from './protocol.ts'

interface SourceModule {
  createSources(options: unknown): Promise<
    StateReader & {
      sources: IndexSource[]
      /** @throws Error when the sources cannot be read now */
      check(): Promise<void>
      close(): Promise<void>
    }
  >
}

/** Milliseconds between two checks for snapshots that are due. */
const SAVE_INTERVAL_MS = 1_000
/** Milliseconds between two reports of what each tenant took. */
const LOADS_INTERVAL_MS = 5_000

const port = new ThreadPort<SearchThreadProtocol>()
const {
  sourceModule,
  sourceOptions,
  bytesMax,
  tenantBytesMax = bytesMax / 2,
  buildWaitMs,
  freshWaitMs,
  snapshots = null,
  share = null,
  warmWithinMs = WARM_WITHIN_MS,
  rebuildWithinMs = 0,
} = port.data
const module = (await import(sourceModule)) as SourceModule
const reader = await module.createSources({
  ...(sourceOptions as object),
  onDamage: (error: unknown) => port.noteDamage(error),
})
const heapMax = oldGenerationBytesMax()
const heapShare = Math.min(bytesMax, indexShareOf(heapMax))
const guard = new HeapGuard(heapMax)
const release = HeapRelease.start()
const tell = (event: IndexEvent): void => port.tell({ kind: 'event', event })
const keptSnapshots =
  snapshots === null
    ? null
    : new Snapshots({
        files: new SnapshotFiles(snapshots.folder, snapshots.bytesMax),
        onFailure: (error) => {
          tell({ kind: 'failed' })
          port.warn('a snapshot of a search index could not be written or read', error)
        },
        onEvent: (event) => {
          tell(event)
          // Saving froze dictionaries, whose former tables on the heap are garbage now.
          if (event.kind === 'saved') release.noteGarbage()
        },
      })
const loads = new TenantLoads()
const onWork = (tenantId: string, ms: number): void => loads.add(tenantId, ms)
threadSlices.onWork = onWork
const host = new IndexHost(
  reader.sources,
  { bytesMax, tenantBytesMax, heapBytesMax: heapShare },
  {
    isHeapShort: () => guard.isShort(),
    snapshots: keptSnapshots,
    files: snapshots === null ? null : new UnnamedFiles(snapshots.folder, snapshots.bytesMax),
    onFilesLost: (error) => {
      port.warn(
        'parts of search indexes cannot be kept in files; no more are written there until the next start',
        error,
      )
    },
    buildWaitMs,
    freshWaitMs,
    onEvent: tell,
    onWork,
    onCatchUp: (version, isOver) => port.tell({ kind: 'catching-up', version, isOver }),
  },
)
port.tell({ kind: 'started', heapBytesMax: heapShare })
setInterval(tellLoads, LOADS_INTERVAL_MS).unref()
if (keptSnapshots !== null) setInterval(() => void host.saveDue(), SAVE_INTERVAL_MS).unref()
let ownShare = share
const isOurs = (tenantId: string): boolean => ownShare === null || holds(ownShare, tenantId)
const follower = new Follower({ host, reader, isOurs })
const warmed = warm()

/** Waits for the indexes that were used last: a moment for those on disk, longer for those that must be built. */
async function warm(): Promise<void> {
  const warming = host.warm({ isOurs, statesOf: (tenantIds) => reader.statesOf(tenantIds) })
  const began = performance.now()
  await Promise.race([warming.read, sleep(warmWithinMs, undefined, { ref: false })])
  if (warming.toBuild === 0) return
  tell({ kind: 'rebuilding', indexes: warming.toBuild })
  const leftMs = Math.max(0, rebuildWithinMs - (performance.now() - began))
  await Promise.race([warming.built, sleep(leftMs, undefined, { ref: false })])
}

let answers: { call: number; answer: SearchAnswer }[] = []
let errors: PackedError[] = []

/** Settles a call. Answers that are ready in one turn of the event loop are sent in one message. */
function settle(call: number, outcome: SearchAnswer | null | Error): void {
  if (answers.length + errors.length === 0 && outcome !== null) queueMicrotask(sendAnswers)
  if (outcome === null) port.tell({ kind: 'done', call, value: null })
  else if (!(outcome instanceof Error)) answers.push({ call, answer: outcome })
  else errors.push(packError(call, outcome))
}

function sendAnswers(): void {
  const message = packAnswers(answers, errors)
  answers = []
  errors = []
  port.tell(message, [message.numbers.buffer as ArrayBuffer])
}

function tellLoads(): void {
  const taken = loads.take(host.tenantSizes)
  if (taken.length > 0) port.tell({ kind: 'loads', loads: taken })
}

function take(message: ToWorker): void {
  switch (message.kind) {
    case 'search':
      for (const { call, request } of unpackSearches(message)) {
        host.submit({ version: request.version, request, settle: (outcome) => settle(call, outcome) })
      }
      break
    case 'written':
      follower.noteWritten(message.tenantIds)
      break
    case 'pause':
      for (const paused of message.indexes) host.pause(paused)
      break
    case 'drop':
      void host.drop(message.tenantId).then(() => settle(message.call, null))
      break
    case 'check':
      void reader.check().then(
        () => settle(message.call, null),
        (error: Error) => settle(message.call, error),
      )
      break
    case 'keep':
      ownShare = message.share
      const areGone = host.keepOnly(isOurs)
      port.tell({ kind: 'done', call: message.call, value: areGone })
      break
    case 'warmed':
      void warmed.then(() => settle(message.call, null))
      break
    case 'status':
      port.tell({ kind: 'done', call: message.call, value: host.status(message.tenantId) })
  }
}

port.listen(take, () => {
  follower.close()
  tellLoads()
  return reader.close()
})
