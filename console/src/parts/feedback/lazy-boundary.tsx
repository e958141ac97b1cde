import { Component, type ReactNode } from 'react'
import { FileGone } from '../../api/lazy-file.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../layout/button.tsx'
import { Notice } from './notice.tsx'

/**
 * Catches the failure of a part of a page whose file is fetched when it is shown. When the file is gone, the rest of
 * the page stays, and with it the text that was typed there. Other errors go on to the page.
 */
export class LazyBoundary extends Component<
  { readonly children: ReactNode; readonly fallback?: ReactNode },
  { readonly error: unknown }
> {
  override state: { readonly error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    if (!(error instanceof FileGone)) throw error
    return this.props.fallback ?? <PartGone />
  }
}

/** Says that a part of the page cannot be loaded, and what to do. The browser asks before it throws away unsaved text. */
export function PartGone() {
  const { faults } = useWords()
  return (
    <Notice tone="warning" role="alert">
      <p>{faults.fileGone}</p>
      <Button size="small" onPress={() => window.location.reload()}>
        {faults.reload}
      </Button>
    </Notice>
  )
}
