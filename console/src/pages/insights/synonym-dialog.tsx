import { useState } from 'react'
import { useChangeVocabulary } from '../../api/search-vocabulary.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { TagInput } from '../../parts/fields/tag-input.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { useInsightsWords } from './words.ts'

/** Asks for the words that products have for a search that people type in other words. */
export function SynonymDialog({ query, onClose }: { readonly query: string; readonly onClose: () => void }) {
  const common = useWords()
  const words = useInsightsWords()
  const adding = useChangeVocabulary()
  const [also, setAlso] = useState<readonly string[]>([])
  const [isChecked, setChecked] = useState(false)
  const save = (): void => {
    setChecked(true)
    if (also.length === 0) return
    adding.mutate((now) => ({ ...now, synonyms: [{ from: query, words: [...also] }, ...now.synonyms] }), {
      onSuccess: () => {
        sayDone(words.synonymSaved)
        onClose()
      },
    })
  }
  return (
    <Dialog title={words.synonymTitle} onClose={onClose} isBusy={adding.isPending}>
      <p className="dialog-text">{words.synonymText(query)}</p>
      <Form names={['synonyms']} error={adding.error} onSubmit={save}>
        <TagInput
          label={words.synonymWords}
          help={words.synonymHelp}
          tags={also}
          onChange={setAlso}
          fault={isChecked && also.length === 0 ? words.synonymNeeded : null}
        />
        <div className="dialog-actions">
          <Button onPress={onClose} isDisabled={adding.isPending}>
            {common.cancel}
          </Button>
          <Button kind="main" type="submit" isPending={adding.isPending}>
            {words.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
