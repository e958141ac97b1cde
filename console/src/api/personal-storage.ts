/** Prefix of every key of the browser's storage whose value belongs to one person. */
export const PERSONAL = 'personal:'

/** Removes all that the browser's storage has of the person who signs out. */
export function forgetPerson(): void {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PERSONAL))
    for (const key of keys) localStorage.removeItem(key)
  } catch {}
}
