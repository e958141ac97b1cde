import { getRouteApi } from '@tanstack/react-router'
import { startTransition, useCallback, useMemo, useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { Tree } from '../../parts/tables/tree.tsx'
import { aboveOf, type CategoryTree, searchTree } from './model.ts'
import { levelOfStep, rowKeeper, type ShownRow, shownRows, STEP } from './shown-rows.ts'
import { useMoves } from './use-moves.ts'
import { useCategoriesWords } from './words.ts'

const route = getRouteApi('/signed-in/console/categories')

/** Shows the tree with its search. The chosen category and the text of the search are in the address. */
export function TreePane({ tree, mayChange }: { readonly tree: CategoryTree; readonly mayChange: boolean }) {
  const words = useCategoriesWords()
  const { formats } = useLanguage()
  const { category: chosen = null, find = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    () => new Set(chosen === null ? tree.roots.slice(0, 1).map(({ id }) => id) : aboveOf(tree, chosen)),
  )
  const hits = useMemo(() => (find === '' ? null : searchTree(tree, find)), [tree, find])
  const [limits, setLimits] = useState<ReadonlyMap<string, number>>(new Map())
  const open = hits?.open ?? opened
  const [keep] = useState(rowKeeper)
  const rows = useMemo(() => {
    const more = (count: number): string => words.more(formats.number(count))
    return shownRows(hits?.roots ?? tree.roots, { open, limits, more, keep })
  }, [hits, tree, open, limits, words, formats, keep])
  const note = useCallback(({ entries }: ShownRow) => (entries === 0 ? null : formats.number(entries)), [formats])
  const choose = (id: string): void => {
    const level = levelOfStep(id)
    if (level === null) void navigate({ search: (now) => ({ ...now, category: id }) })
    else startTransition(() => setLimits(new Map([...limits, [level, (limits.get(level) ?? STEP) + STEP]])))
  }
  // React builds the new rows in steps, between which the browser scrolls and takes keys.
  const expand = (keys: ReadonlySet<string>): void => startTransition(() => setOpened(keys))
  const moves = useMoves(tree, (id) => setOpened(new Set([...opened, id])))
  const searchFor = (text: string): void =>
    void navigate({ search: (now) => ({ ...now, find: text === '' ? undefined : text }), replace: true })
  return (
    <div className="categories-tree">
      <div className="categories-find">
        <TextField
          type="search"
          label={words.find}
          help={
            hits === null
              ? words.count(formats.number(tree.byId.size))
              : words.found(hits.total, formats.number(hits.total))
          }
          value={find}
          onChange={searchFor}
        />
      </div>
      {hits !== null && hits.roots.length === 0 ? (
        <Empty title={words.foundNone} action={<Button onPress={() => searchFor('')}>{words.clearFind}</Button>} />
      ) : (
        <Tree
          label={words.tree}
          nodes={rows}
          chosen={chosen}
          onChoose={choose}
          expanded={open}
          onExpand={hits === null ? expand : () => undefined}
          note={note}
          {...(mayChange ? { dragAndDropHooks: moves } : {})}
          isTall
        />
      )}
    </div>
  )
}
