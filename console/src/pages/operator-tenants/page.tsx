import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../parts/layout/button.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { useOperatorWords } from '../operator/words.ts'
import { CreateDialog } from './create-dialog.tsx'
import { ExportButton } from './export-button.tsx'
import { Filters } from './filters.tsx'
import type { CreatedTenant } from './queries.ts'
import { SecretsDialog } from './secrets-dialog.tsx'
import { Tenants } from './tenants.tsx'
import './page.css'

/** Lists all tenants with their use. */
export function OperatorTenantsPage() {
  const { tenants: words } = useOperatorWords()
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<CreatedTenant | null>(null)
  return (
    <Page
      title={words.title}
      intro={words.intro}
      action={
        <span className="row">
          <ExportButton />
          <Button kind="main" icon={Plus} onPress={() => setCreating(true)}>
            {words.create}
          </Button>
        </span>
      }
    >
      <div className="stack">
        <Filters />
        <Tenants />
        <p className="help">{words.counted}</p>
      </div>
      {isCreating ? (
        <CreateDialog
          onClose={() => setCreating(false)}
          onCreated={(answer) => {
            setCreating(false)
            setCreated(answer)
          }}
        />
      ) : null}
      {created === null ? null : <SecretsDialog created={created} onClose={() => setCreated(null)} />}
    </Page>
  )
}
