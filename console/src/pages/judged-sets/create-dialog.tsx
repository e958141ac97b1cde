import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { useCreateJudgedSet } from '../../api/judged-sets.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { RadioGroup } from '../../parts/fields/checkbox.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { useJudgedSetsWords } from './words.ts'

const SECTIONS = ['knowledge', 'products'] as const

/** Creates a set and opens it. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const common = useWords()
  const words = useJudgedSetsWords()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [section, setSection] = useState<(typeof SECTIONS)[number]>('knowledge')
  const create = useCreateJudgedSet()
  const isFull = create.error instanceof ApiFault && create.error.status === 409
  return (
    <Dialog title={words.create} onClose={onClose} isBusy={create.isPending}>
      <Form
        names={['name', 'section']}
        error={isFull ? null : create.error}
        onSubmit={() =>
          create.mutate(
            { name, section },
            {
              onSuccess: (set) => {
                sayDone(words.done(set.name))
                void navigate({ to: '/console/judged-sets/$setId', params: { setId: set.id } })
              },
            },
          )
        }
      >
        {isFull ? (
          <Notice tone="danger" role="alert">
            {words.full}
          </Notice>
        ) : null}
        <TextField label={words.name} name="name" value={name} onChange={setName} maxLength={200} />
        <RadioGroup
          label={words.section}
          choices={SECTIONS.map((id) => ({ id, name: words.sections[id] }))}
          chosen={section}
          onChoose={setSection}
        />
        <div className="dialog-actions">
          <Button onPress={onClose} isDisabled={create.isPending}>
            {common.cancel}
          </Button>
          <Button kind="main" type="submit" isPending={create.isPending}>
            {words.submit}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
