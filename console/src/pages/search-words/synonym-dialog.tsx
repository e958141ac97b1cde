import { useState } from 'react'
import { type Synonym, useChangeVocabulary } from '../../api/search-vocabulary.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { RadioGroup } from '../../parts/fields/checkbox.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { TagInput } from '../../parts/fields/tag-input.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { replaced } from './queries.ts'
import { useSearchWordsWords } from './words.ts'

/** Asks for synonyms, new ones or in place of others. */
export function SynonymDialog(props: { readonly synonym: Synonym | null; readonly onClose: () => void }) {
  const { synonym, onClose } = props
  const common = useWords()
  const words = useSearchWordsWords()
  const changing = useChangeVocabulary()
  const [isOneWay, setOneWay] = useState(synonym?.from != null)
  const [from, setFrom] = useState(synonym?.from ?? '')
  const [all, setAll] = useState<readonly string[]>(synonym?.words ?? [])
  const [isChecked, setChecked] = useState(false)
  const wordsFault = isOneWay ? (all.length === 0 ? words.noWord : null) : all.length < 2 ? words.tooFew : null
  const fromFault = isOneWay && from.trim() === '' ? words.noFrom : null
  const save = (): void => {
    setChecked(true)
    if (wordsFault !== null || fromFault !== null) return
    const after = isOneWay ? { from: from.trim(), words: [...all] } : { words: [...all] }
    changing.mutate((now) => ({ ...now, synonyms: replaced(now.synonyms, synonym, after) }), {
      onSuccess: () => {
        sayDone(words.saved)
        onClose()
      },
    })
  }
  return (
    <Dialog title={synonym === null ? words.newTitle : words.editTitle} onClose={onClose} isBusy={changing.isPending}>
      <Form names={['synonyms']} error={changing.error} onSubmit={save}>
        <RadioGroup
          label={words.direction}
          chosen={isOneWay ? 'oneWay' : 'both'}
          choices={[
            { id: 'both', name: words.both, help: words.bothHelp },
            { id: 'oneWay', name: words.oneWay, help: words.oneWayHelp },
          ]}
          onChoose={(id) => setOneWay(id === 'oneWay')}
        />
        {isOneWay ? (
          <TextField
            label={words.from}
            value={from}
            maxLength={100}
            onChange={setFrom}
            fault={isChecked ? fromFault : null}
          />
        ) : null}
        <TagInput
          label={isOneWay ? words.alsoFinds : words.words}
          help={words.wordsHelp}
          tags={all}
          onChange={setAll}
          fault={isChecked ? wordsFault : null}
        />
        <div className="dialog-actions">
          <Button onPress={onClose} isDisabled={changing.isPending}>
            {common.cancel}
          </Button>
          <Button kind="main" type="submit" isPending={changing.isPending}>
            {words.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
