import { getRouteApi } from '@tanstack/react-router'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Tabs } from '../../parts/layout/tabs.tsx'
import { FeedImporter } from './feed-importer.tsx'
import { Importer } from './importer.tsx'
import { useImportWords } from './words.ts'
import './page.css'

const route = getRouteApi('/signed-in/console/import')

type Kind = 'entries' | 'products'

/** Imports files and folders as entries, and feeds as products. */
export function ImportPage() {
  const words = useImportWords()
  const { what = 'entries' } = route.useSearch()
  const navigate = route.useNavigate()
  const may = { entries: useMay('knowledge:write'), products: useMay('products:write') }
  const kinds = (['entries', 'products'] as const).filter((kind) => may[kind])
  const [first] = kinds
  const contents = { entries: <Importer />, products: <FeedImporter /> }
  return (
    <Page title={words.title} intro={words.intro}>
      {first === undefined ? <Empty title={words.forbidden} help={words.forbiddenHelp} /> : null}
      {kinds.length === 1 && first !== undefined ? contents[first] : null}
      {kinds.length < 2 ? null : (
        <Tabs<Kind>
          label={words.title}
          tabs={kinds.map((id) => ({ id, name: words.kinds[id], content: contents[id] }))}
          chosen={what}
          onChoose={(id) => void navigate({ search: id === 'entries' ? {} : { what: id } })}
        />
      )}
    </Page>
  )
}
