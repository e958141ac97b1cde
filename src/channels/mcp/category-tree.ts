import type { Caller } from '../../platform/access/caller.ts'
import type { Category } from '../../knowledge/categories/contract.ts'
import type { CategoryRules } from '../../knowledge/categories/rules.ts'
import { excerpt, type Item, jsonLength, roomIn } from './budget.ts'
import { titleOf } from './entry-view.ts'

const DESCRIPTION_CHARACTERS = 100
/** Characters of the shortest category: its id, its name and the frame. */
const COST_MIN = 70
/** What a category may take besides its own fields: its frame, and the number of children that are left out. */
const FRAME_CHARACTERS = 60

/** A category that is shown, with those below it that are. */
interface Branch {
  readonly category: Category
  readonly depth: number
  readonly children: Branch[]
  /** Direct children that are not shown. */
  leftOut: number
}

interface Tree {
  readonly branches: readonly Branch[]
  /** Categories on the level that the tree begins with. */
  readonly total: number
}

/**
 * The categories below one, level by level as far as the budget goes: first the whole level, then the children of its
 * first category, and so on. The children of a category are shown all or not at all, except on the first level.
 * @param parentId null begins at the top
 * @param offset categories of the first level to skip
 */
export async function treeWithin(
  categories: CategoryRules,
  caller: Caller,
  { parentId, offset, budget }: { readonly parentId: string | null; readonly offset: number; readonly budget: number },
): Promise<Tree> {
  let room = roomIn(budget)
  const read = (parent: string | null, from: number) =>
    categories.listFrom(caller, parent, { offset: from, limit: Math.max(0, Math.floor(room / COST_MIN)) + 1 })
  const first = await read(parentId, offset)
  const branches: Branch[] = []
  for (const category of first.categories) {
    const branch = branchOf(category, 0)
    room -= costOf(branch)
    if (room < 0 && branches.length > 0) break
    branches.push(branch)
  }
  let level = branches
  while (level.length > 0) {
    const next: Branch[] = []
    const parents = await categories.parentsAmong(
      caller,
      level.map(({ category }) => category.id),
    )
    for (const branch of level.filter(({ category }) => parents.has(category.id))) {
      const family = await read(branch.category.id, 0)
      const children = family.categories.map((category) => branchOf(category, branch.depth + 1))
      const cost = children.reduce((sum, child) => sum + costOf(child), 0)
      if (children.length < family.total || cost > room) {
        branch.leftOut = family.total
        continue
      }
      room -= cost
      branch.children.push(...children)
      next.push(...children)
    }
    level = next
  }
  return { branches, total: first.total }
}

function branchOf(category: Category, depth: number): Branch {
  return { category, depth, children: [], leftOut: 0 }
}

function costOf(branch: Branch): number {
  const { json, text } = itemOf(branch)
  return Math.max(jsonLength(json), text.length) + FRAME_CHARACTERS
}

/** A branch with all that is shown below it. Its text has two spaces for each level. */
export function itemOf({ category, depth, children, leftOut }: Branch): Item {
  const below = children.map(itemOf)
  const description = excerpt(category.description ?? '', DESCRIPTION_CHARACTERS)
  const json = {
    id: category.id,
    name: titleOf(category.name),
    ...(description === '' ? {} : { description }),
    ...(below.length === 0 ? {} : { children: below.map((child) => child.json) }),
    ...(leftOut === 0 ? {} : { children_left_out: leftOut }),
  }
  const about = description === '' ? '' : `: ${description}`
  const more = leftOut === 0 ? '' : `, ${leftOut} below it not shown`
  const line = `${'  '.repeat(depth)}- ${json.name} (category_id: ${category.id}${more})${about}`
  return { json, text: [line, ...below.map((child) => child.text)].join('\n') }
}

/** Whether any branch lacks children for want of room. */
export function isCut(branches: readonly Branch[]): boolean {
  return branches.some(({ leftOut, children }) => leftOut > 0 || isCut(children))
}
