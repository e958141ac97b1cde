import { useState } from 'react'
import { type PersonDetails, useChangePerson } from '../../api/people.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/button.tsx'
import { Form } from '../../parts/form.tsx'
import { Section } from '../../parts/section.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { sayDone } from '../../parts/toast.tsx'
import { useEdits } from '../../parts/use-edits.ts'
import { AccessFields } from './access-fields.tsx'
import type { Access } from './givable.ts'
import { usePeopleWords } from './words.ts'

const FIELDS = ['name']

/** Changes a person's name, role and ceiling, each only where it differs from what is stored. */
export function AccessForm(props: { readonly person: PersonDetails; readonly access: Access }) {
  const { person } = props
  const words = useWords()
  const { access: text, person: ofPerson } = usePeopleWords()
  const change = useChangePerson(person.id)
  const { shown, edits, edit, sent } = useEdits({ name: person.name, ...props.access })
  const { name, role, ceiling } = shown
  const [isChecked, setChecked] = useState(false)
  const fault = name.trim() === '' ? text.nameNeeded : null
  return (
    <Section title={ofPerson.access}>
      <div className="person-form">
        <Form
          names={FIELDS}
          error={change.error}
          say={(_path, { type }) => (type === 'conflict' ? text.lastAdministrator : null)}
          onSubmit={(form) => {
            setChecked(true)
            if (fault !== null) form.querySelector<HTMLInputElement>('[name=name]')?.focus()
            else if (!change.isPending)
              change.mutate(
                { ...edits, ...(edits.name === undefined ? {} : { name: name.trim() }) },
                {
                  onSuccess: () => {
                    sent(edits)
                    sayDone(words.saved)
                  },
                },
              )
          }}
        >
          <TextField
            name="name"
            label={text.name}
            maxLength={200}
            autoComplete="off"
            value={name}
            onChange={(typed) => edit({ name: typed })}
            fault={isChecked ? fault : null}
            isRequired
          />
          <AccessFields access={{ role, ceiling }} onChange={edit} />
          <div>
            <Button kind="main" type="submit" isPending={change.isPending}>
              {change.isPending ? words.saving : words.save}
            </Button>
          </div>
        </Form>
      </div>
    </Section>
  )
}
