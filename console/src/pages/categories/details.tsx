import { Link } from '@tanstack/react-router'
import { FilePlus, FileText, GitMerge, MoveRight, Pencil, Plus, Trash2 } from 'lucide-react'
import { useMay } from '../../api/use-session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Moment } from '../../parts/text/time.tsx'
import type { OpenDialog } from './dialogs.tsx'
import { type CategoryTree, pathOf } from './model.ts'
import { useCategoriesWords } from './words.ts'

/** Shows the facts of the chosen category, and actions for it. */
export function Details(props: {
  readonly tree: CategoryTree
  readonly id: string | null
  readonly mayChange: boolean
  readonly onOpen: (dialog: OpenDialog) => void
}) {
  const { tree, id, mayChange, onOpen } = props
  const words = useCategoriesWords()
  const { formats } = useLanguage()
  const mayWrite = useMay('knowledge:write')
  const node = id === null ? null : (tree.byId.get(id) ?? null)
  if (node === null)
    return (
      <div className="categories-details">
        {id === null ? <Empty title={words.choose} /> : <Empty title={words.gone} help={words.goneHelp} />}
      </div>
    )
  const { category, children } = node
  const path = pathOf(tree, node.id).slice(0, -1)
  const countText = (count: number): string => words.entries(count, formats.number(count))
  const buttons = [
    { icon: Pencil, name: words.edit, open: { kind: 'edit', node } },
    { icon: Plus, name: words.addBelow, open: { kind: 'create', parent: node } },
    { icon: MoveRight, name: words.move, open: { kind: 'move', node } },
    { icon: GitMerge, name: words.merge, open: { kind: 'merge', node } },
    { icon: Trash2, name: words.remove, open: { kind: 'remove', node } },
  ] as const satisfies readonly { icon: typeof Plus; name: string; open: OpenDialog }[]
  return (
    <section className="categories-details" aria-labelledby="category-name">
      <p className="quiet">{path.length === 0 ? words.topLevel : path.join(' › ')}</p>
      <h2 id="category-name" className="wrap">
        {node.name}
      </h2>
      <DescriptionList
        facts={[
          category.description === null ? null : [words.description, category.description],
          [words.here, countText(node.entries)],
          children.length === 0 ? null : [words.withBelow, countText(node.allEntries)],
          children.length === 0 ? null : [words.below, formats.number(children.length)],
          [words.changed, <Moment key="changed" iso={category.updated_at} />],
        ]}
      />
      <div className="row">
        <Link to="/console/entries" search={{ category: node.id }} className="button button-small">
          <FileText className="icon" size={14} aria-hidden />
          {words.showEntries}
        </Link>
        {mayWrite ? (
          <Link to="/console/entries/new" search={{ category: node.id }} className="button button-small">
            <FilePlus className="icon" size={14} aria-hidden />
            {words.writeHere}
          </Link>
        ) : null}
      </div>
      {mayChange ? (
        <div className="row">
          {buttons.map(({ icon, name, open }) => (
            <Button key={name} size="small" icon={icon} onPress={() => onOpen(open)}>
              {name}
            </Button>
          ))}
        </div>
      ) : (
        <p className="quiet">{words.forbiddenHelp}</p>
      )}
    </section>
  )
}
