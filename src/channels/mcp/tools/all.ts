import type { CategoryRules } from '../../../knowledge/categories/rules.ts'
import type { PromptRules } from '../../../knowledge/entries/prompts/rules.ts'
import type { EntryRules } from '../../../knowledge/entries/rules.ts'
import type { EntrySearchRules } from '../../../knowledge/entries/search/search-rules.ts'
import type { ProductSearchRules } from '../../../shop/products/search/search-rules.ts'
import type { Tool } from '../tool.ts'
import { listCategories } from './categories.ts'
import { createEntry, createPersonalNote, deleteEntry, updateEntry } from './entries-write.ts'
import { getEntry } from './get-entry.ts'
import { listEntries } from './list-entries.ts'
import { findSimilarProducts, searchProducts } from './products.ts'
import { searchKnowledge } from './search-knowledge.ts'

/** The rules that tools and prompts call, nearly all of which are the rules of the routes too. */
export interface McpRules {
  readonly entries: EntryRules
  readonly prompts: PromptRules
  readonly search: EntrySearchRules
  readonly categories: CategoryRules
  readonly products: ProductSearchRules
}

/** Returns every tool, in the order of the list. */
export function allTools({ entries, search, categories, products }: Omit<McpRules, 'prompts'>): readonly Tool[] {
  return [
    searchKnowledge(search),
    getEntry(entries),
    listEntries(entries),
    createEntry(entries),
    createPersonalNote(entries),
    updateEntry(entries),
    deleteEntry(entries),
    listCategories(categories),
    searchProducts(products),
    findSimilarProducts(products),
  ]
}
