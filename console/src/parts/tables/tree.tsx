import { ChevronRight, GripVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Button,
  Collection,
  type DragAndDropHooks,
  type Key,
  ListLayout,
  Tree as AriaTree,
  TreeItem,
  TreeItemContent,
  Virtualizer,
} from 'react-aria-components'
import { useWords } from '../../i18n/language.tsx'

export interface TreeNode {
  readonly id: string
  readonly name: string
  readonly children: readonly TreeNode[]
}

/** Height of a row, the same as that of `.tree-tall .tree-row` in the styles. */
const ROW_PX = 36
const EDGE_PX = 8

/**
 * Shows a tree to read, choose from and, with `dragAndDropHooks` of React Aria, to rearrange: by pointer and by
 * keyboard. With `isTall` it scrolls within its place, and draws the rows near the window: for tens of thousands of
 * nodes.
 * @param props.nodes of many nodes each object stays the same until it changes, because rows of new objects are built
 *   again
 * @param props.note short text at the end of a row, such as a count; another function builds all rows again
 * @param props.actions actions for a node, shown at the end of its row; like `note`
 */
export function Tree<Node extends TreeNode>(props: {
  readonly label: string
  readonly nodes: readonly Node[]
  readonly chosen: string | null
  readonly onChoose: (id: string) => void
  readonly expanded?: ReadonlySet<string>
  readonly onExpand?: (expanded: ReadonlySet<string>) => void
  readonly note?: (node: Node) => string | null
  readonly actions?: (node: Node) => ReactNode
  readonly empty?: ReactNode
  readonly dragAndDropHooks?: DragAndDropHooks
  readonly isTall?: boolean
}) {
  const { expanded, onExpand, isTall = false } = props
  const words = useWords()
  const draw = (node: TreeNode) => (
    <TreeItem key={node.id} id={node.id} textValue={node.name} className="tree-item">
      <TreeItemContent>
        {({ hasChildItems, allowsDragging }) => (
          <span className="tree-row">
            {allowsDragging ? (
              <Button slot="drag" className="tree-drag" aria-label={words.tree.move(node.name)}>
                <GripVertical className="icon" size={14} aria-hidden />
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
            {props.note === undefined ? null : <span className="tree-note">{props.note(node as Node)}</span>}
            {props.actions?.(node as Node)}
          </span>
        )}
      </TreeItemContent>
      {/* React Aria builds hidden children too. For many nodes give a closed one a single child, which says enough. */}
      <Collection items={node.children}>{draw}</Collection>
    </TreeItem>
  )
  const tree = (
    <AriaTree
      className={isTall ? 'tree tree-tall' : 'tree'}
      aria-label={props.label}
      items={props.nodes as readonly TreeNode[]}
      dependencies={[words, props.note, props.actions]}
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
  if (!isTall) return tree
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowSize: ROW_PX, padding: EDGE_PX }}>
      {tree}
    </Virtualizer>
  )
}
