import { Link } from '@tanstack/react-router'
import { History, Pencil } from 'lucide-react'
import { useMay } from '../../api/use-session.ts'
import { useWords } from '../../i18n/language.tsx'
import { CopyButton } from '../../parts/text/copy-button.tsx'
import { useEntryWords } from './words.ts'

/** Shows actions for the entry that is read. */
export function Actions({ entryId }: { readonly entryId: string }) {
  const common = useWords()
  const words = useEntryWords()
  const mayWrite = useMay('knowledge:write')
  return (
    <div className="row">
      <CopyButton name={words.copyLink} text={window.location.href} />
      <Link to="/console/entries/$entryId/versions" params={{ entryId }} className="button">
        <History className="icon" size={16} aria-hidden />
        {words.history}
      </Link>
      {mayWrite ? (
        <Link to="/console/entries/$entryId/edit" params={{ entryId }} className="button button-main">
          <Pencil className="icon" size={16} aria-hidden />
          {common.edit}
        </Link>
      ) : null}
    </div>
  )
}
