import { type Synonym, useChangeVocabulary } from '../../api/search-vocabulary.ts'
import { Languages, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { IconButton } from '../../parts/layout/button.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Section } from '../../parts/layout/section.tsx'
import { sayDone, sayFailed } from '../../parts/feedback/toast.tsx'
import { keyOf, replaced } from './queries.ts'
import { SynonymDialog } from './synonym-dialog.tsx'
import { useSearchWordsWords } from './words.ts'

/** Lists the synonyms, up to a thousand. */
export function SynonymTable({ synonyms }: { readonly synonyms: readonly Synonym[] }) {
  const words = useSearchWordsWords()
  const { words: common, formats } = useLanguage()
  const changing = useChangeVocabulary()
  const [edited, setEdited] = useState<Synonym | null>(null)
  const nameOf = ({ words: all, from }: Synonym): string => from ?? formats.list(all)
  const remove = (synonym: Synonym): void =>
    changing.mutate((now) => ({ ...now, synonyms: replaced(now.synonyms, synonym, null) }), {
      onSuccess: () => sayDone(words.removed),
      onError: (error) => sayFailed(faultText(error, common)),
    })
  return (
    <Section title={words.synonyms}>
      {synonyms.length === 0 ? (
        <Empty icon={Languages} title={words.empty} help={words.emptyHelp} />
      ) : (
        <DataTable
          label={words.list}
          rows={synonyms}
          keyOf={keyOf}
          nameOf={nameOf}
          columns={[
            { id: 'typed', head: words.typed, cell: (each) => nameOf(each) },
            {
              id: 'found',
              head: words.found,
              cell: ({ words: all, from }) =>
                from == null ? <span className="quiet">{words.eachOther}</span> : formats.list(all),
            },
            {
              id: 'actions',
              head: words.actions,
              width: '6rem',
              isActions: true,
              cell: (each) => (
                <span className="row">
                  <IconButton
                    icon={Pencil}
                    size="small"
                    label={words.edit(nameOf(each))}
                    onPress={() => setEdited(each)}
                  />
                  <IconButton
                    icon={Trash2}
                    size="small"
                    label={words.remove(nameOf(each))}
                    onPress={() => remove(each)}
                  />
                </span>
              ),
            },
          ]}
        />
      )}
      {edited === null ? null : <SynonymDialog synonym={edited} onClose={() => setEdited(null)} />}
    </Section>
  )
}
