import type { ReactNode } from 'react'
import { useWords } from '../i18n/language.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { Mark } from './mark.tsx'

/** Shows the frame of single pages: sign-in, consent, errors. */
export function Narrow({ children }: { readonly children: ReactNode }) {
  const words = useWords()
  return (
    <div className="narrow">
      <header className="narrow-head">
        <span className="brand">
          <Mark />
          {words.product}
        </span>
        <LanguageChoice />
      </header>
      <main className="narrow-card">{children}</main>
    </div>
  )
}
