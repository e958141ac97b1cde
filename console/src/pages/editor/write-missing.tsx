import { Link } from '@tanstack/react-router'
import { FilePlus } from 'lucide-react'
import { useMay } from '../../api/use-session.ts'
import { useWords } from '../../i18n/language.tsx'

/** Leads a person who may write from a search without hits to a new entry. @param props.title text of the search */
export function WriteMissing({ title }: { readonly title: string }) {
  const { writeMissing } = useWords()
  if (!useMay('knowledge:write')) return null
  return (
    <Link to="/console/entries/new" search={{ title }} className="button">
      <FilePlus className="icon" size={16} aria-hidden />
      {writeMissing}
    </Link>
  )
}
