import type { Database } from '../../platform/database/database.ts'
import { setLastUsed } from './store.ts'

/** The console shows minutes, so a flush may come late. A write for each request would cost more than the request. */
const FLUSH_INTERVAL_MS = 30_000
/** Most keys whose use waits for a flush. The use of a further key is left out. */
const PENDING_MAX = 10_000

export interface KeyUse {
  /** Notes that a key is used now. */
  seen(tenantId: string, keyId: string): void
  /** Stores the uses that were noted so far. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Remembers when keys were last used and stores the times in the background. A crash may lose some of them. */
export function keyUseRecorder(database: Database, onError: (error: unknown) => void): KeyUse {
  const pending = new Map<string, { tenantId: string; keyId: string; at: number }>()

  const flush = async (): Promise<void> => {
    if (pending.size === 0) return
    const uses = [...pending.values()]
    pending.clear()
    await database.write(async (tx) => {
      for (const { tenantId, keyId, at } of uses) await setLastUsed(tx, tenantId, keyId, at)
    })
  }
  const timer = setInterval(() => flush().catch(onError), FLUSH_INTERVAL_MS)
  timer.unref()

  return {
    seen(tenantId, keyId) {
      const use = pending.get(keyId)
      if (use !== undefined) use.at = Date.now()
      else if (pending.size < PENDING_MAX) pending.set(keyId, { tenantId, keyId, at: Date.now() })
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush().catch(onError)
    },
  }
}
