import { type Language } from '../../i18n/languages.ts'
import { useLanguage } from '../../i18n/language.tsx'

const written = new Map<string, Intl.NumberFormat | null>()

/** A price with every digit that it has; `none` without one. @param props.amount as decimal text */
export function Money(props: { readonly amount: string | null; readonly currency: string; readonly none?: string }) {
  const { language } = useLanguage()
  const { amount, currency, none = '–' } = props
  if (amount === null) return <span className="quiet">{none}</span>
  const format = formatOf(language, currency)
  // Decimal text keeps digits that a number would lose.
  return (
    <span className="money">{format === null ? `${amount} ${currency}` : format.format(amount as `${number}`)}</span>
  )
}

/** Null for what is no code of a currency, which shops send too. */
function formatOf(language: Language, currency: string): Intl.NumberFormat | null {
  const key = `${language} ${currency}`
  const known = written.get(key)
  if (known !== undefined) return known
  let made: Intl.NumberFormat | null = null
  try {
    const locale = language === 'de' ? 'de-DE' : 'en-GB'
    made = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 6 })
  } catch {
    // `made` says it.
  }
  written.set(key, made)
  return made
}
