import type { Language } from '../../i18n/languages.ts'
import type { EachLanguage } from '../../i18n/table.ts'

// Names of schema.org, which feeds use. Shops may write other names, which are shown as they are.
const NAMES: Readonly<Record<string, EachLanguage>> = {
  instock: { en: 'In stock', de: 'Auf Lager' },
  outofstock: { en: 'Out of stock', de: 'Nicht auf Lager' },
  preorder: { en: 'Pre-order', de: 'Vorbestellbar' },
  backorder: { en: 'Back order', de: 'Nachlieferung' },
  limitedavailability: { en: 'Few left', de: 'Nur noch wenige' },
  discontinued: { en: 'Discontinued', de: 'Nicht mehr lieferbar' },
  onlineonly: { en: 'Online only', de: 'Nur online' },
  instoreonly: { en: 'In store only', de: 'Nur im Laden' },
  soldout: { en: 'Sold out', de: 'Ausverkauft' },
}

/** Returns an availability in people's words. */
export function stockName(availability: string, language: Language): string {
  return NAMES[availability.toLowerCase().replaceAll(/[ _]/g, '')]?.[language] ?? availability
}
