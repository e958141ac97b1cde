/** Begins every key of the browser's storage that holds something of one person. */
export const PERSONAL = 'personal:'

/** Removes what the browser keeps of the person who signs out. */
export function forgetPerson(): void {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PERSONAL))
    for (const key of keys) localStorage.removeItem(key)
  } catch {}
}
