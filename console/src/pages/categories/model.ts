import type { Category, CategoryCounts } from '../../api/categories.ts'

/** A category with the categories below it. */
export interface CategoryNode {
  readonly id: string
  readonly name: string
  readonly category: Category
  readonly children: readonly CategoryNode[]
  /** Entries in the category itself. */
  readonly entries: number
  /** Entries in the category and in all categories below it. */
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

/** Returns the names on the way to a category, the outermost first, its own last. */
export function pathOf({ byId }: CategoryTree, id: string): string[] {
  const path: string[] = []
  for (let node = byId.get(id); node !== undefined; node = byId.get(node.category.parent_id ?? ''))
    path.unshift(node.name)
  return path
}

/** Returns the ids of the categories above a category. */
export function aboveOf({ byId }: CategoryTree, id: string): string[] {
  const ids: string[] = []
  for (let at = byId.get(id)?.category.parent_id ?? null; at !== null; at = byId.get(at)?.category.parent_id ?? null)
    ids.push(at)
  return ids
}

/** New place of a category: before a neighbour, or last on its level without one. */
export interface Place {
  readonly parentId: string | null
  readonly beforeId: string | null
}

/** Returns the place right before or after a category, for another category, which may be its neighbour already. */
export function placeBeside(tree: CategoryTree, id: string, side: 'before' | 'after', movedId: string): Place {
  const parentId = tree.byId.get(id)?.category.parent_id ?? null
  if (side === 'before') return { parentId, beforeId: id }
  const level = parentId === null ? tree.roots : (tree.byId.get(parentId)?.children ?? [])
  const others = level.filter((node) => node.id !== movedId)
  return { parentId, beforeId: others[others.findIndex((node) => node.id === id) + 1]?.id ?? null }
}

/** Tells whether a category is the other one or below it. */
export const isWithin = (tree: CategoryTree, id: string, otherId: string): boolean =>
  id === otherId || aboveOf(tree, id).includes(otherId)

/** Most categories that one search shows; typing more of the name leads to the others. */
const HITS_MAX = 100

interface TreeHits {
  readonly roots: readonly CategoryNode[]
  /** Ids of the categories above the hits. */
  readonly open: ReadonlySet<string>
  readonly total: number
}

/**
 * Searches the tree for a text in the names.
 * @returns the first hits with the categories above them, and the number of all hits
 */
export function searchTree(tree: CategoryTree, text: string): TreeHits {
  const search = text.trim().toLocaleLowerCase()
  const open = new Set<string>()
  let total = 0
  const branchesWithHits = (node: CategoryNode): CategoryNode[] => {
    const isHit = node.name.toLocaleLowerCase().includes(search) && ++total <= HITS_MAX
    const children = node.children.flatMap(branchesWithHits)
    if (children.length > 0) open.add(node.id)
    return isHit || children.length > 0 ? [{ ...node, children }] : []
  }
  return { roots: tree.roots.flatMap(branchesWithHits), open, total }
}
