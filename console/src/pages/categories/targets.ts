import type { PickChoice } from '../../parts/fields/pick-field.tsx'
import type { CategoryNode, CategoryTree } from './model.ts'

/** Returns the categories that a category may move to: all but itself and those below it, in the order of the tree. */
export function targetsFor(tree: CategoryTree, id: string): PickChoice[] {
  const targets: PickChoice[] = []
  const walk = (nodes: readonly CategoryNode[], path: readonly string[]): void => {
    for (const node of nodes) {
      if (node.id === id) continue
      targets.push({ id: node.id, name: node.name, help: path.join(' › ') })
      walk(node.children, [...path, node.name])
    }
  }
  walk(tree.roots, [])
  return targets
}
