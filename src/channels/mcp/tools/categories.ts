import { CategoryListQuery } from '../../../knowledge/categories/contract.ts'
import type { CategoryRules } from '../../../knowledge/categories/rules.ts'
import { FreeForm, Int, ListOf, Type, Uuid } from '../../../platform/contract/schema.ts'
import { pageSlots } from '../../../platform/threads/page-slots.ts'
import { Budget, BUDGET_DEFAULT } from '../budget.ts'
import { isCut, itemOf, treeWithin } from '../category-tree.ts'
import { LeftOut, NextOffset } from '../entry-view.ts'
import { quoted } from '../quotes.ts'
import { defineTool, READS, type Tool } from '../tool.ts'
import { lines, tooMuch } from './words.ts'

export function listCategories(categories: CategoryRules): Tool {
  return defineTool({
    name: 'list_categories',
    title: 'List categories',
    description: 'Lists the categories of entries as a tree, as deep as fits: all of them, or those below one.',
    scopes: ['knowledge:read'],
    hints: READS,
    input: {
      parent_id: CategoryListQuery.properties.parent_id,
      offset: Type.Optional(Int({ minimum: 0, default: 0 })),
      budget_characters: Budget,
    },
    words: { parent_id: 'Only what is below this category', offset: 'Categories of the first level to skip' },
    output: {
      categories: ListOf(
        Type.Object({
          id: Uuid(),
          name: Type.String(),
          description: Type.Optional(Type.String()),
          children: Type.Optional(ListOf(FreeForm())),
          children_left_out: Type.Optional(
            Int({ minimum: 1, description: 'How many categories directly below it did not fit' }),
          ),
        }),
      ),
      total: Int({ minimum: 0, description: 'Categories on the first level' }),
      next_offset: NextOffset,
      left_out: LeftOut,
    },
    run: async (caller, { parent_id: parent, offset = 0, budget_characters: budget = BUDGET_DEFAULT }) => {
      const { branches, total } = await pageSlots.run(caller.tenant.id, () =>
        treeWithin(categories, caller, { parentId: parent ?? null, offset, budget }),
      )
      const items = branches.map(itemOf)
      const missed = Math.max(0, total - offset) - items.length
      const next = missed > 0 ? offset + items.length : null
      const left = [
        next === null ? null : tooMuch(missed, 'categories', `offset ${next}`),
        isCut(branches) ? 'For what is below a category, call again with its id as parent_id.' : null,
      ].filter((line) => line !== null)
      const leftOut = left.length === 0 ? null : left.join(' ')
      return {
        structured: { categories: items.map(({ json }) => json), total, next_offset: next, left_out: leftOut },
        text: lines(
          total === 0 ? 'No categories.' : 'Categories:',
          items.length === 0 ? null : quoted(items.map(({ text }) => text).join('\n')),
          leftOut,
        ),
      }
    },
  })
}
