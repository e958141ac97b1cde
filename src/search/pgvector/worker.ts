/** The thread that searches replicas. It has database connections of its own, for changes and for replicas. */
import { type DatabaseOptions, openDatabase } from '../../platform/database/database.ts'
import { ThreadPort } from '../../platform/threads/thread-port.ts'
import type { IndexSource, SearchAnswer, TenantState } from '../engine.ts'
import { packAnswers, packError, unpackSearches } from '../memory/host/protocol.ts'
import { ReplicaFollower } from './follower.ts'
import type { ReplicaThreadProtocol, ToReplicas } from './protocol.ts'
import { ReplicaHost } from './replica-host.ts'

interface SourceModule {
  createSources(options: DatabaseOptions): Promise<{
    sources: IndexSource[]
    /** Returns the newest change of each tenant that exists. */
    statesOf(tenantIds: readonly string[]): Promise<readonly TenantState[]>
    close(): Promise<void>
  }>
}

/**
 * Database connections of the thread. A running search has one, a catch-up takes another, and one that reads texts holds
 * its lock in a third.
 */
const CONNECTIONS = 6

const port = new ThreadPort<ReplicaThreadProtocol>()
const { sourceModule, database: databaseOptions, buildWaitMs, catchUpWaitMs, freshWaitMs } = port.data
const module = (await import(sourceModule)) as SourceModule
const onDamage = (error: unknown): void => port.noteDamage(error)
const reader = await module.createSources({ ...databaseOptions, onDamage })
const database = openDatabase({
  ...databaseOptions,
  poolMax: CONNECTIONS,
  onDamage,
  onError: (error) => port.warn('a connection of the search replicas broke', error),
})
const statesOf = (tenantIds: readonly string[]) => reader.statesOf(tenantIds)
const host = new ReplicaHost(database, reader.sources, {
  buildWaitMs,
  catchUpWaitMs,
  freshWaitMs,
  statesOf,
  onTextsDue: (tenantId) => follower.noteWritten([tenantId]),
})
const follower = new ReplicaFollower({ follow: (state) => host.follow(state), statesOf })

/** Sends the answer of a search. */
function tell(call: number, answer: SearchAnswer): void {
  const message = packAnswers([{ call, answer }], [])
  port.tell(message, [message.numbers.buffer as ArrayBuffer])
}

/** Sends the result of a call without hits, or its error. */
function settle(call: number, work: Promise<unknown>): void {
  work.then(
    (value) => port.tell({ kind: 'done', call, value: value ?? null }),
    (error: Error) => port.tell({ kind: 'failed', error: packError(call, error) }),
  )
}

function take(message: ToReplicas): void {
  switch (message.kind) {
    case 'search':
      for (const { call, request } of unpackSearches(message)) {
        host.search(request).then(
          (answer) => tell(call, answer),
          (error: Error) => port.tell({ kind: 'failed', error: packError(call, error) }),
        )
      }
      break
    case 'warm':
      settle(message.call, host.warm(message.version))
      break
    case 'written':
      follower.noteWritten(message.tenantIds)
      break
    case 'status':
      settle(message.call, host.status(message.tenantId))
  }
}

port.listen(take, async () => {
  follower.close()
  await reader.close()
  await database.close()
})
