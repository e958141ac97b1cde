import { type Language } from '../../i18n/languages.ts'
import { useLanguage } from '../../i18n/language.tsx'

const formats = new Map<string, Intl.NumberFormat | null>()

/** Shows a price with every digit that it has; `none` without one. @param props.amount price as decimal text */
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

/** Returns the format of a currency; null for a text that is no code of a currency, which shops send too. */
function formatOf(language: Language, currency: string): Intl.NumberFormat | null {
  const key = `${language} ${currency}`
  const stored = formats.get(key)
  if (stored !== undefined) return stored
  let format: Intl.NumberFormat | null = null
  try {
    const locale = language === 'de' ? 'de-DE' : 'en-GB'
    format = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 6 })
  } catch {
    // `format` stays null.
  }
  formats.set(key, format)
  return format
}
