import { useState } from 'react'

const STORED = 'navigation-collapsed'

/** Keeps in the browser whether the navigation shows icons alone. */
export function useCollapsed(): readonly [boolean, (isCollapsed: boolean) => void] {
  const [isCollapsed, set] = useState(stored)
  const choose = (next: boolean): void => {
    set(next)
    // A browser may forbid storage; the choice then lasts as long as the page.
    try {
      localStorage.setItem(STORED, String(next))
    } catch {}
  }
  return [isCollapsed, choose]
}

function stored(): boolean {
  try {
    return localStorage.getItem(STORED) === 'true'
  } catch {
    return false
  }
}
