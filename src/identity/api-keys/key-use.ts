import type { Database } from '../../platform/database/database.ts'
import { setLastUsed } from './store.ts'

/** How often uses are written down: a console shows minutes, and a write per request would cost more than the request. */
const FLUSH_INTERVAL_MS = 30_000
/** Keys remembered between two flushes; more are noticed at their next use. */
const PENDING_MAX = 10_000

export interface KeyUse {
  seen(tenantId: string, keyId: string): void
  /** Writes down what was seen so far. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Remembers when keys were last used and writes it behind the requests. Losing some at a crash is fine. */
export function keyUseRecorder(database: Database, onError: (error: unknown) => void): KeyUse {
  const pending = new Map<string, { tenantId: string; keyId: string; at: number }>()

  const flush = async (): Promise<void> => {
    if (pending.size === 0) return
    const seen = [...pending.values()]
    pending.clear()
    await database.write(async (tx) => {
      for (const { tenantId, keyId, at } of seen) await setLastUsed(tx, tenantId, keyId, at)
    })
  }
  const timer = setInterval(() => flush().catch(onError), FLUSH_INTERVAL_MS)
  timer.unref()

  return {
    seen(tenantId, keyId) {
      const known = pending.get(keyId)
      if (known !== undefined) known.at = Date.now()
      else if (pending.size < PENDING_MAX) pending.set(keyId, { tenantId, keyId, at: Date.now() })
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush().catch(onError)
    },
  }
}
