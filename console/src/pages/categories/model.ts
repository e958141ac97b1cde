import type { Category, CategoryCounts } from '../../api/categories.ts'

/** A category with what hangs below it. */
export interface CategoryNode {
  readonly id: string
  readonly name: string
  readonly category: Category
  readonly children: readonly CategoryNode[]
  /** Entries in the category itself. */
  readonly entries: number
  /** Entries in it and everything below. */
  readonly allEntries: number
}

export interface CategoryTree {
  readonly roots: readonly CategoryNode[]
  readonly byId: ReadonlyMap<string, CategoryNode>
}

const NO_ENTRIES = { entries: 0, entries_in_subtree: 0 }

/** Builds the tree from the flat list, which keeps the order of neighbours. */
export function treeOf(list: readonly Category[], counts: CategoryCounts): CategoryTree {
  const below = new Map<string | null, Category[]>()
  for (const category of list) {
    const neighbours = below.get(category.parent_id)
    if (neighbours === undefined) below.set(category.parent_id, [category])
    else neighbours.push(category)
  }
  const byId = new Map<string, CategoryNode>()
  const nodesBelow = (parentId: string | null): CategoryNode[] =>
    (below.get(parentId) ?? []).map((category) => {
      const children = nodesBelow(category.id)
      const { entries, entries_in_subtree: allEntries } = counts.get(category.id) ?? NO_ENTRIES
      const node = { id: category.id, name: category.name, category, children, entries, allEntries }
      byId.set(node.id, node)
      return node
    })
  return { roots: nodesBelow(null), byId }
}

/** The names on the way to a category, outermost first, its own last. */
export function pathOf({ byId }: CategoryTree, id: string): string[] {
  const path: string[] = []
  for (let node = byId.get(id); node !== undefined; node = byId.get(node.category.parent_id ?? ''))
    path.unshift(node.name)
  return path
}

/** Ids of the categories above a category. */
export function aboveOf({ byId }: CategoryTree, id: string): string[] {
  const ids: string[] = []
  for (let at = byId.get(id)?.category.parent_id ?? null; at !== null; at = byId.get(at)?.category.parent_id ?? null)
    ids.push(at)
  return ids
}

/** Where a category comes to stand: before a neighbour, or last without one. */
export interface Place {
  readonly parentId: string | null
  readonly beforeId: string | null
}

/** The place right before or after a category, for another one, which may be its neighbour already. */
export function placeBeside(tree: CategoryTree, id: string, side: 'before' | 'after', movedId: string): Place {
  const parentId = tree.byId.get(id)?.category.parent_id ?? null
  if (side === 'before') return { parentId, beforeId: id }
  const level = parentId === null ? tree.roots : (tree.byId.get(parentId)?.children ?? [])
  const others = level.filter((node) => node.id !== movedId)
  return { parentId, beforeId: others[others.findIndex((node) => node.id === id) + 1]?.id ?? null }
}

/** Whether a category is the other one or below it. */
export const isWithin = (tree: CategoryTree, id: string, otherId: string): boolean =>
  id === otherId || aboveOf(tree, id).includes(otherId)

/** Categories that one search shows; whoever wants another one types more of its name. */
const FOUND_MAX = 100

interface Found {
  readonly roots: readonly CategoryNode[]
  /** Ids of those above what was found. */
  readonly open: ReadonlySet<string>
  readonly total: number
}

/** The first categories with a text in their name, what is above them, and how many there are. */
export function found(tree: CategoryTree, text: string): Found {
  const wanted = text.trim().toLocaleLowerCase()
  const open = new Set<string>()
  let total = 0
  const kept = (node: CategoryNode): CategoryNode[] => {
    const isHit = node.name.toLocaleLowerCase().includes(wanted) && ++total <= FOUND_MAX
    const children = node.children.flatMap(kept)
    if (children.length > 0) open.add(node.id)
    return isHit || children.length > 0 ? [{ ...node, children }] : []
  }
  return { roots: tree.roots.flatMap(kept), open, total }
}
