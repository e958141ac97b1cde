import { Category, CategoryListQuery } from '../../../knowledge/categories/contract.ts'
import type { CategoryRules } from '../../../knowledge/categories/rules.ts'
import { Int, ListOf, Type } from '../../../platform/contract/schema.ts'
import { pageSlots } from '../../../platform/threads/page-slots.ts'
import { Budget, BUDGET_DEFAULT, excerpt, fill, type Item } from '../budget.ts'
import { LeftOut, NextOffset, titleOf } from '../entry-view.ts'
import { defineTool, READS, type Tool } from '../tool.ts'
import { lines, numbered, tooMuch } from './words.ts'

const DESCRIPTION_CHARACTERS = 200
/** More categories than the largest budget has room for. */
const CATEGORIES_MAX = 1_000
const { id, name, parent_id: parentId } = Category.properties

export function listCategories(categories: CategoryRules): Tool {
  return defineTool({
    name: 'list_categories',
    title: 'List categories',
    description: 'Lists the categories of entries: all of them, or the direct children of one.',
    scopes: ['knowledge:read'],
    hints: READS,
    input: {
      parent_id: CategoryListQuery.properties.parent_id,
      offset: Type.Optional(Int({ minimum: 0, default: 0, description: 'Categories to skip' })),
      budget_characters: Budget,
    },
    output: {
      categories: ListOf(Type.Object({ id, name, parent_id: parentId, description: Type.String() })),
      total: Int({ minimum: 0 }),
      next_offset: NextOffset,
      left_out: LeftOut,
    },
    run: async (caller, { parent_id: parent, offset = 0, budget_characters: budget = BUDGET_DEFAULT }) => {
      const part = { offset, limit: CATEGORIES_MAX }
      const { categories: wanted, total } = await pageSlots.run(caller.tenant.id, () =>
        categories.listFrom(caller, parent ?? null, part),
      )
      const shown = fill(wanted, budget, DESCRIPTION_CHARACTERS, categoryItem)
      const missed = Math.max(0, total - offset) - shown.length
      const next = missed > 0 ? offset + shown.length : null
      const leftOut = next === null ? null : tooMuch(missed, 'categories', `offset ${next}`)
      return {
        structured: {
          categories: shown.map(({ json }) => json),
          total,
          next_offset: next,
          left_out: leftOut,
        },
        text: lines(
          total === 0 ? 'No categories.' : `${shown.length} of ${total} categories:`,
          ...numbered(shown, offset),
          leftOut,
        ),
      }
    },
  })
}

function categoryItem(category: Category, excerptMax: number): Item {
  const description = excerpt(category.description ?? '', excerptMax)
  const json = { id: category.id, name: titleOf(category.name), parent_id: category.parent_id, description }
  const under = category.parent_id === null ? '' : `, parent_id: ${category.parent_id}`
  return {
    json,
    text: `${json.name}\n   category_id: ${category.id}${under}${description === '' ? '' : `\n   ${description}`}`,
  }
}
