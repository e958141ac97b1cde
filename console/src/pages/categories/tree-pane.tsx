import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { Tree } from '../../parts/tree.tsx'
import { aboveOf, type CategoryNode, type CategoryTree, found } from './model.ts'
import { useMoves } from './use-moves.ts'
import { useCategoriesWords } from './words.ts'

const route = getRouteApi('/signed-in/console/categories')

/** The tree with its search. What is chosen and looked for stands in the address. */
export function TreePane({ tree, mayChange }: { readonly tree: CategoryTree; readonly mayChange: boolean }) {
  const words = useCategoriesWords()
  const { formats } = useLanguage()
  const { category: chosen = null, find = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set(chosen === null ? tree.roots.slice(0, 1).map(({ id }) => id) : aboveOf(tree, chosen)),
  )
  const hits = useMemo(() => (find === '' ? null : found(tree, find)), [tree, find])
  const moves = useMoves(tree, (id) => setOpened(new Set([...opened, id])))
  const look = (text: string): void =>
    void navigate({ search: (now) => ({ ...now, find: text === '' ? undefined : text }), replace: true })
  return (
    <section className="categories-tree" aria-label={words.tree}>
      <div className="categories-find">
        <TextField
          type="search"
          label={words.find}
          help={words.count(formats.number(tree.byId.size))}
          value={find}
          onChange={look}
        />
      </div>
      {hits !== null && hits.roots.length === 0 ? (
        <Empty title={words.foundNone} action={<Button onPress={() => look('')}>{words.clearFind}</Button>} />
      ) : (
        <Tree
          label={words.tree}
          nodes={hits?.roots ?? tree.roots}
          chosen={chosen}
          onChoose={(id) => void navigate({ search: (now) => ({ ...now, category: id }) })}
          expanded={hits?.open ?? opened}
          onExpand={hits === null ? setOpened : () => undefined}
          note={({ allEntries }: CategoryNode) => (allEntries === 0 ? null : formats.number(allEntries))}
          {...(mayChange ? { dragAndDropHooks: moves } : {})}
          isTall
        />
      )}
    </section>
  )
}
