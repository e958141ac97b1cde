import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { categoriesQuery, type CategoryCounts, categoryCountsQuery } from '../../api/categories.ts'
import { useMay } from '../../api/use-session.ts'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { Dialogs, type OpenDialog } from './dialogs.tsx'
import { Details } from './details.tsx'
import { treeOf } from './model.ts'
import { TreePane } from './tree-pane.tsx'
import { useCategoriesWords } from './words.ts'
import './page.css'

const NO_COUNTS: CategoryCounts = new Map()

const route = getRouteApi('/signed-in/console/categories')

/** Shows the tree of categories, with the details of the chosen one beside it. */
export function CategoriesPage() {
  const words = useCategoriesWords()
  const mayChange = useMay('categories:write')
  const list = useQuery(categoriesQuery)
  const counts = useQuery(categoryCountsQuery)
  // The tree is built in steps between which the browser scrolls and takes keys: tens of thousands of categories would
  // be one long task.
  const deferredList = useDeferredValue(list.data)
  const deferredCounts = useDeferredValue(counts.data)
  const tree = useMemo(() => treeOf(deferredList ?? [], deferredCounts ?? NO_COUNTS), [deferredList, deferredCounts])
  const { category: chosen = null } = route.useSearch()
  const [open, setOpen] = useState<OpenDialog>(null)
  const add = mayChange ? (
    <Button kind="main" icon={Plus} onPress={() => setOpen({ kind: 'create', parent: null })}>
      {words.add}
    </Button>
  ) : null
  return (
    <Page title={words.title} intro={mayChange ? words.introMayMove : words.intro} action={add}>
      <QueryView query={list}>
        {() =>
          deferredList === undefined ? (
            <Skeleton lines={10} />
          ) : tree.roots.length === 0 ? (
            <Empty title={words.empty} help={mayChange ? words.emptyHelp : words.emptyReader} />
          ) : (
            <div className="categories">
              <TreePane tree={tree} mayChange={mayChange} />
              <Details tree={tree} id={chosen} mayChange={mayChange} onOpen={setOpen} />
            </div>
          )
        }
      </QueryView>
      <Dialogs open={open} tree={tree} onClose={() => setOpen(null)} />
    </Page>
  )
}
