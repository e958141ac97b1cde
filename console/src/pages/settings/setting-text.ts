import type { Formats } from '../../i18n/formats.ts'
import type { SettingsWords } from './words.ts'

type FieldName = keyof SettingsWords['fields']

const isField = (name: string, { fields }: SettingsWords): name is FieldName => Object.hasOwn(fields, name)

/** Returns the name of a setting, for people; an unknown one by its own name. */
export const settingName = (name: string, words: SettingsWords): string =>
  isField(name, words) ? words.fields[name] : name

/** Returns the value of a setting, in words. */
export function settingText(name: string, value: unknown, words: SettingsWords, formats: Formats): string {
  const choices: Readonly<Record<string, Readonly<Record<string, { readonly name: string }>>>> = {
    variant_strategy: words.products.variants,
    oauth_registration: words.assistants.registrations,
    require_second_factor: words.security.factors,
    search_engine: words.search.engines,
  }
  const chosen = choices[name]?.[String(value)]
  if (chosen !== undefined) return chosen.name
  if (name === 'search_log_queries') return value === 'keep' ? words.on : words.off
  if (name === 'language') return formats.languageName(String(value))
  if (name === 'host' && value === null) return words.organisation.noHost
  if (typeof value === 'boolean') return value ? words.on : words.off
  if (typeof value === 'number') return name.endsWith('_days') ? words.days(value) : formats.number(value)
  return value === null || typeof value !== 'string' ? '–' : value
}
