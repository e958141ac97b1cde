import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { takesAway } from '../../../../src/platform/access/user-scopes.ts'
import {
  changePerson,
  type PersonDetails,
  personAccessQuery,
  readPerson,
  type Receivers,
  useReadPeopleAgain,
} from '../../api/people.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { Collisions } from '../../parts/editing/collisions.tsx'
import { isRole } from '../../parts/session/permissions.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { useSharedEdits } from '../../parts/editing/use-shared-edits.ts'
import { AccessFields } from './access-fields.tsx'
import { EndingAccess, NO_RECEIVERS, receiversAmong } from './ending-access.tsx'
import { type Access, levelOf, seenLevel } from './givable.ts'
import { usePeopleWords } from './words.ts'

const FIELDS = ['name']

/**
 * Changes a person's name, role and ceiling. Sends only the values that differ from the stored ones. Where the person
 * would lose something, it says what ends before it can be saved.
 */
export function AccessForm(props: { readonly person: PersonDetails; readonly access: Access }) {
  const { person } = props
  const words = useWords()
  const { access: text, person: personText } = usePeopleWords()
  const readAgain = useReadPeopleAgain()
  const [receivers, setReceivers] = useState(NO_RECEIVERS)
  const form = useSharedEdits<Access & { readonly name: string }, PersonDetails>({
    stored: { name: person.name, ...props.access },
    read: async () => {
      const { value, etag } = await readPerson(person.id)
      const { name: storedName, role: storedRole, ceiling: storedCeiling } = value
      const present = isRole(storedRole) ? storedRole : props.access.role
      return { value: { name: storedName, role: present, ceiling: storedCeiling }, etag }
    },
    write: (changes, { etag }) => changePerson(person.id, changes, etag, given),
    onCollision: () => void readAgain(),
  })
  const { values, edits, edit, theirs } = form
  const { name, role, ceiling } = values
  const isLess = takesAway(props.access, { role, ceiling })
  const wish = { role, ceiling: seenLevel({ role, ceiling }) }
  const ending = useQuery({ ...personAccessQuery(person.id, wish), enabled: isLess })
  const given: Receivers = isLess && ending.data !== undefined ? receiversAmong(ending.data, receivers) : NO_RECEIVERS
  const isReady = !isLess || ending.data !== undefined
  const [isChecked, setChecked] = useState(false)
  const fault = name.trim() === '' ? text.nameNeeded : null
  const save = (): void =>
    form.save({ ...edits, ...(edits.name === undefined ? {} : { name: name.trim() }) }, () => {
      void readAgain()
      sayDone(words.saved)
    })
  const levelText = (level: Access['ceiling'], of: Access['role']): string =>
    level === null ? text.asRole(words.visibility[levelOf(of)].name) : words.visibility[level].name
  const collisions = [
    theirs?.name === undefined ? null : { name: text.name, theirs: theirs.name, mine: name },
    theirs?.role === undefined ? null : { name: text.role, theirs: words.roles[theirs.role], mine: words.roles[role] },
    theirs?.ceiling === undefined
      ? null
      : { name: text.ceiling, theirs: levelText(theirs.ceiling, theirs.role ?? role), mine: levelText(ceiling, role) },
  ].filter((field) => field !== null)
  return (
    <Section title={personText.access}>
      <div className="person-form">
        <Form
          names={FIELDS}
          error={form.error}
          say={(_path, { type }) => (type === 'conflict' ? text.lastAdministrator : null)}
          onSubmit={(element) => {
            setChecked(true)
            if (fault !== null) element.querySelector<HTMLInputElement>('[name=name]')?.focus()
            else if (!form.isSaving && isReady) save()
          }}
        >
          <Collisions fields={collisions} isBusy={form.isSaving} onTake={form.takeTheirs} onOverwrite={save} />
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
          {isLess ? (
            <Notice tone="plain">
              <p>{text.lessEnds}</p>
              <QueryView query={ending}>
                {(access) => (
                  <EndingAccess person={person} access={access} receivers={receivers} isLess onChange={setReceivers} />
                )}
              </QueryView>
            </Notice>
          ) : null}
          <div>
            <Button kind="main" type="submit" isPending={form.isSaving} isDisabled={!isReady}>
              {form.isSaving ? words.saving : words.save}
            </Button>
          </div>
        </Form>
      </div>
    </Section>
  )
}
