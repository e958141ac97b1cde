import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/empty.tsx'
import { Page } from '../../parts/page.tsx'
import { Importer } from './importer.tsx'
import { useImportWords } from './words.ts'
import './page.css'

/** Files and folders become entries. */
export function ImportPage() {
  const words = useImportWords()
  const mayWrite = useMay('knowledge:write')
  return (
    <Page title={words.title} intro={words.intro}>
      {mayWrite ? <Importer /> : <Empty title={words.forbidden} help={words.forbiddenHelp} />}
    </Page>
  )
}
