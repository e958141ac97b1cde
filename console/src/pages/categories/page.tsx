import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { categoriesQuery, type CategoryCounts, categoryCountsQuery } from '../../api/categories.ts'
import { useMay } from '../../api/use-session.ts'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Dialogs, type OpenDialog } from './dialogs.tsx'
import { Details } from './details.tsx'
import { treeOf } from './model.ts'
import { TreePane } from './tree-pane.tsx'
import { useCategoriesWords } from './words.ts'
import './page.css'

const NO_COUNTS: CategoryCounts = new Map()

const route = getRouteApi('/signed-in/console/categories')

/** The tree of categories, with what is known of the chosen one beside it. */
export function CategoriesPage() {
  const words = useCategoriesWords()
  const mayChange = useMay('categories:write')
  const list = useQuery(categoriesQuery)
  const counts = useQuery(categoryCountsQuery)
  const tree = useMemo(() => treeOf(list.data ?? [], counts.data ?? NO_COUNTS), [list.data, counts.data])
  const { category: chosen = null } = route.useSearch()
  const [open, setOpen] = useState<OpenDialog>(null)
  const add = mayChange ? (
    <Button kind="main" icon={Plus} onPress={() => setOpen({ kind: 'create', parent: null })}>
      {words.add}
    </Button>
  ) : null
  return (
    <Page title={words.title} intro={mayChange ? words.introMayMove : words.intro} action={add}>
      <Loaded query={list}>
        {() =>
          tree.roots.length === 0 ? (
            <Empty title={words.empty} help={mayChange ? words.emptyHelp : words.emptyReader} />
          ) : (
            <div className="categories">
              <TreePane tree={tree} mayChange={mayChange} />
              <Details tree={tree} id={chosen} mayChange={mayChange} onOpen={setOpen} />
            </div>
          )
        }
      </Loaded>
      <Dialogs open={open} tree={tree} onClose={() => setOpen(null)} />
    </Page>
  )
}
