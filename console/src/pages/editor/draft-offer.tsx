import { useEffect, useState } from 'react'
import { type Draft, draftsOf, dropDraft, openWriters } from '../../api/drafts.ts'
import { differingNames } from '../../api/entry-fields.ts'
import { useSession } from '../../api/use-session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import type { Base } from './saving.ts'
import { useEditorWords } from './words.ts'

/**
 * Offers the texts that the person typed earlier and did not save, the newest first. A text that another tab is still
 * writing belongs to that tab; here it is only mentioned.
 */
export function DraftOffer(props: { readonly base: Base | null; readonly onUse: (draft: Draft) => void }) {
  const { base, onUse } = props
  const { formats } = useLanguage()
  const { draft: words } = useEditorWords()
  const { user, tenant } = useSession()
  const [drafts, setDrafts] = useState<readonly Draft[]>([])
  const [isElsewhere, setElsewhere] = useState(false)
  const entryId = base?.id ?? null
  useEffect(() => {
    let isCurrent = true
    const owner = { tenantId: tenant.id, userId: user.id }
    const offer = async (): Promise<void> => {
      const [all, writers] = await Promise.all([draftsOf(owner, entryId), openWriters()])
      const changed = all.filter(({ baseFields, fields }) => differingNames(baseFields, fields).length > 0)
      if (!isCurrent) return
      setDrafts(changed.filter(({ writer }) => !writers.has(writer)))
      setElsewhere(entryId !== null && changed.some(({ writer }) => writers.has(writer)))
    }
    void offer()
    return () => {
      isCurrent = false
    }
  }, [entryId, tenant.id, user.id])
  const [first, ...others] = drafts
  if (first === undefined) {
    return isElsewhere ? (
      <Notice tone="warning" role="status">
        {words.elsewhere}
      </Notice>
    ) : null
  }
  const isOlder = base !== null && first.base !== base.version
  return (
    <Notice tone="warning" role="status">
      <p>{words.found(formats.moment(first.keptAt))}</p>
      {isOlder ? <p>{words.older}</p> : null}
      <div className="row">
        <Button
          kind="main"
          size="small"
          onPress={() => {
            setDrafts([])
            onUse(first)
          }}
        >
          {words.use}
        </Button>
        <Button
          size="small"
          onPress={() => {
            setDrafts(others)
            void dropDraft(first)
          }}
        >
          {words.drop}
        </Button>
      </div>
    </Notice>
  )
}
