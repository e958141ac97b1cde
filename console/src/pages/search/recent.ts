import { useState } from 'react'
import { useSession } from '../../api/use-session.ts'
import { PERSONAL } from '../../api/personal-storage.ts'

const KEPT = 8

/** Keeps the person's last searches that led to an entry, the newest first; in the browser, until they sign out. */
export function useRecentSearches() {
  const { user, tenant } = useSession()
  const key = `${PERSONAL}recent:${tenant.id}:${user.id}`
  const [recent, set] = useState(() => stored(key))
  const keep = (next: readonly string[]): void => {
    set(next)
    // A browser may forbid storage; the list then lasts as long as the page.
    try {
      localStorage.setItem(key, JSON.stringify(next))
    } catch {}
  }
  return {
    recent,
    remember: (query: string): void => keep([query, ...recent.filter((each) => each !== query)].slice(0, KEPT)),
    forget: (): void => keep([]),
  }
}

function stored(key: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string').slice(0, KEPT) : []
  } catch {
    return []
  }
}
