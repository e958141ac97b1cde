import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Button,
  Collection,
  type DragAndDropHooks,
  type Key,
  Tree as AriaTree,
  TreeItem,
  TreeItemContent,
} from 'react-aria-components'

export interface TreeNode {
  readonly id: string
  readonly name: string
  readonly children: readonly TreeNode[]
}

/**
 * A tree to read, choose from and, with `dragAndDropHooks` of React Aria, to rearrange: by pointer and by keyboard.
 * @param props.actions what can be done with a node, shown at the end of its row
 */
export function Tree(props: {
  readonly label: string
  readonly nodes: readonly TreeNode[]
  readonly chosen: string | null
  readonly onChoose: (id: string) => void
  readonly expanded?: ReadonlySet<string>
  readonly onExpand?: (expanded: ReadonlySet<string>) => void
  readonly actions?: (node: TreeNode) => ReactNode
  readonly empty?: ReactNode
  readonly dragAndDropHooks?: DragAndDropHooks
}) {
  const { expanded, onExpand } = props
  const draw = (node: TreeNode) => (
    <TreeItem key={node.id} id={node.id} textValue={node.name} className="tree-item">
      <TreeItemContent>
        {({ hasChildItems, allowsDragging }) => (
          <span className="tree-row">
            {allowsDragging ? (
              <Button slot="drag" className="tree-drag">
                ⠿
              </Button>
            ) : null}
            {hasChildItems ? (
              <Button slot="chevron" className="tree-chevron">
                <ChevronRight className="icon" size={16} aria-hidden />
              </Button>
            ) : (
              <span className="tree-chevron" />
            )}
            <span className="tree-name">{node.name}</span>
            {props.actions?.(node)}
          </span>
        )}
      </TreeItemContent>
      <Collection items={node.children}>{draw}</Collection>
    </TreeItem>
  )
  return (
    <AriaTree
      className="tree"
      aria-label={props.label}
      items={props.nodes}
      selectionMode="single"
      selectionBehavior="replace"
      selectedKeys={props.chosen === null ? [] : [props.chosen]}
      onSelectionChange={(keys) => {
        const [first] = keys === 'all' ? [] : [...keys]
        if (first !== undefined) props.onChoose(String(first))
      }}
      {...(expanded === undefined ? {} : { expandedKeys: expanded as ReadonlySet<Key> as Set<Key> })}
      {...(onExpand === undefined
        ? {}
        : { onExpandedChange: (keys: Set<Key>) => onExpand(new Set([...keys].map(String))) })}
      dragAndDropHooks={props.dragAndDropHooks}
      renderEmptyState={() => props.empty}
    >
      {draw}
    </AriaTree>
  )
}
