import type { Caller } from '../../platform/access/caller.ts'
import type { Category } from '../../knowledge/categories/contract.ts'
import type { CategoryRules } from '../../knowledge/categories/rules.ts'
import { excerpt, type Item, jsonLength, roomIn } from './budget.ts'
import { titleOf } from './entry-view.ts'

const DESCRIPTION_CHARACTERS = 100
/** Characters of the shortest category: its id, its name and their frame. */
const COST_MIN = 70
/** Characters that a category takes besides its own fields: a comma or the end of a line. */
const FRAME_CHARACTERS = 2
/** Further characters of a category with children: their frame, or the number of children that are left out. */
const PARENT_CHARACTERS = 45

/** A category of the answer, with those below it that the answer has. */
interface Branch {
  readonly category: Category
  readonly depth: number
  /** Whether the category has children, even if the answer has none of them. */
  readonly isParent: boolean
  readonly children: Branch[]
  /** Number of direct children that the answer leaves out. */
  leftOut: number
}

interface Tree {
  readonly branches: readonly Branch[]
  /** Number of all categories on the first level. */
  readonly total: number
}

/**
 * Reads the categories below one, level by level as far as the budget goes: first the whole level, then the children of
 * its first category, and so on. All children of a category are in the tree or none is, except on the first level.
 * @param parentId null begins at the top
 * @param offset categories of the first level to skip
 */
export async function treeWithin(
  categories: CategoryRules,
  caller: Caller,
  { parentId, offset, budget }: { readonly parentId: string | null; readonly offset: number; readonly budget: number },
): Promise<Tree> {
  let room = roomIn(budget)
  const read = async (parent: string | null, from: number, depth: number) => {
    const limit = Math.max(0, Math.floor(room / COST_MIN)) + 1
    const family = await categories.listFrom(caller, parent, { offset: from, limit })
    const parents = await categories.parentsAmong(
      caller,
      family.categories.map(({ id }) => id),
    )
    const branches = family.categories.map((category): Branch => {
      return { category, depth, isParent: parents.has(category.id), children: [], leftOut: 0 }
    })
    return { branches, total: family.total }
  }
  const first = await read(parentId, offset, 0)
  const branches: Branch[] = []
  for (const branch of first.branches) {
    room -= costOf(branch)
    if (room < 0 && branches.length > 0) break
    branches.push(branch)
  }
  for (let level = branches; level.length > 0;) {
    const next: Branch[] = []
    for (const branch of level.filter(({ isParent }) => isParent)) {
      const family = await read(branch.category.id, 0, branch.depth + 1)
      const cost = family.branches.reduce((sum, child) => sum + costOf(child), 0)
      if (family.branches.length < family.total || cost > room) {
        branch.leftOut = family.total
        continue
      }
      room -= cost
      branch.children.push(...family.branches)
      next.push(...family.branches)
    }
    level = next
  }
  return { branches, total: first.total }
}

function costOf(branch: Branch): number {
  const { json, text } = itemOf(branch)
  return Math.max(jsonLength(json), text.length) + FRAME_CHARACTERS + (branch.isParent ? PARENT_CHARACTERS : 0)
}

/** Writes a branch with all below it as an item. Its text is indented by two spaces for each level. */
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

/** Tells whether any branch lacks children for want of room. */
export function isCut(branches: readonly Branch[]): boolean {
  return branches.some(({ leftOut, children }) => leftOut > 0 || isCut(children))
}
