import { useEffect, useRef } from 'react'

/** Calls the actions at Ctrl-S and Ctrl-Enter anywhere on the page; on Apple at Command-S and Command-Enter. */
export function useSaveKeys(actions: { readonly onSave: () => void; readonly onSaveAndClose: () => void }): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.isComposing) return
      const run =
        event.key.toLowerCase() === 's'
          ? latest.current.onSave
          : event.key === 'Enter'
            ? latest.current.onSaveAndClose
            : undefined
      if (run === undefined) return
      event.preventDefault()
      event.stopPropagation()
      run()
    }
    // Captured before the editor gets it, to which Ctrl-Enter is a line break.
    window.addEventListener('keydown', press, { capture: true })
    return () => window.removeEventListener('keydown', press, { capture: true })
  }, [])
}
