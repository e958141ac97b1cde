import type { Kysely } from 'kysely'
import { canonicalLanguage } from '../../contract/language.ts'

type Before = { products: { language: string }; sites: { language: string } }

const LANGUAGE_CHARACTERS_MAX = 5

/** Languages of products and sites become canonical, as those of entries are: `EN` becomes en. What is no tag stays. */
export function shopLanguagesMigration() {
  async function up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['products', 'sites'] as const) await canonicalise(db.withTables<Before>(), table)
  }

  async function canonicalise(db: Kysely<Before>, table: keyof Before): Promise<void> {
    for (const { language } of await db.selectFrom(table).select('language').distinct().execute()) {
      const tag = canonicalLanguage(language)
      if (tag === null || tag === language || tag.length > LANGUAGE_CHARACTERS_MAX) continue
      await db.updateTable(table).set({ language: tag }).where('language', '=', language).execute()
    }
  }

  return { up }
}
