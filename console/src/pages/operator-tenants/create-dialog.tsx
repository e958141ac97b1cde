import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Checkbox } from '../../parts/fields/checkbox.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { useOperatorWords } from '../operator/words.ts'
import { LanguageField } from '../settings/language-field.tsx'
import { conflictIn } from '../operator/conflict.ts'
import { type CreatedTenant, useCreateTenant } from './queries.ts'

const ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const EMPTY = { id: '', name: '', reference: '', host: '', email: '', person: '' }

/** Asks for the values of a new tenant, and creates it. */
export function CreateDialog(props: {
  readonly onCreated: (created: CreatedTenant) => void
  readonly onClose: () => void
}) {
  const common = useWords()
  const { create: words, tenant: tenantWords } = useOperatorWords()
  const [typed, setTyped] = useState(EMPTY)
  const [language, setLanguage] = useState('de')
  const [withKey, setWithKey] = useState(false)
  const [isTried, setTried] = useState(false)
  const create = useCreateTenant()
  const isKnown = create.data?.administrator === null && create.data.api_key === null && typed.email !== ''
  const set = (name: keyof typeof EMPTY) => (text: string) => setTyped((before) => ({ ...before, [name]: text }))
  const conflict = conflictIn(create.error)
  const isConflict = create.error instanceof ApiFault && create.error.status === 409
  const submit = (): void => {
    setTried(true)
    if (!ID.test(typed.id)) return
    const valueOf = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim())
    create.mutate(
      {
        id: typed.id,
        name: valueOf(typed.name),
        reference: valueOf(typed.reference),
        host: valueOf(typed.host),
        settings: { language },
        administrator: typed.email.trim() === '' ? null : { email: typed.email.trim(), name: valueOf(typed.person) },
        api_key: withKey ? { name: words.keyName } : null,
      },
      {
        onSuccess: (answer) => {
          // A known reference creates nothing, and the answer then has no secrets.
          const isCreated =
            (typed.email === '' || answer.administrator !== null) && (!withKey || answer.api_key !== null)
          if (isCreated) props.onCreated(answer)
        },
      },
    )
  }
  const idFault = isTried && !ID.test(typed.id) ? words.idForm : conflict === 'id' ? words.taken : null
  return (
    <Dialog title={words.title} onClose={props.onClose} isBusy={create.isPending} isWide>
      <Form
        names={['id', 'name', 'reference', 'host', 'administrator.email', 'administrator.name', 'settings.language']}
        error={isConflict && conflict !== null ? null : create.error}
        onSubmit={submit}
      >
        {isKnown ? (
          <Notice tone="warning" role="alert">
            {words.known}
          </Notice>
        ) : null}
        <div className="side-by-side">
          <TextField
            name="id"
            label={words.id}
            help={words.idHelp}
            fault={idFault}
            isCode
            value={typed.id}
            onChange={set('id')}
          />
          <TextField
            name="name"
            label={words.name}
            help={words.nameHelp}
            isRequired={false}
            value={typed.name}
            onChange={set('name')}
          />
        </div>
        <div className="side-by-side">
          <TextField
            name="administrator.email"
            type="email"
            label={words.email}
            help={words.emailHelp}
            isRequired={false}
            value={typed.email}
            onChange={set('email')}
          />
          <TextField
            name="administrator.name"
            label={words.person}
            isRequired={false}
            value={typed.person}
            onChange={set('person')}
          />
        </div>
        <div className="side-by-side">
          <TextField
            name="reference"
            label={words.reference}
            help={words.referenceHelp}
            fault={conflict === 'reference' ? tenantWords.referenceTaken : null}
            isRequired={false}
            value={typed.reference}
            onChange={set('reference')}
          />
          <TextField
            name="host"
            label={words.host}
            help={words.hostHelp}
            fault={conflict === 'host' ? tenantWords.hostTaken : null}
            isRequired={false}
            value={typed.host}
            onChange={set('host')}
          />
        </div>
        <LanguageField language={language} onChoose={setLanguage} />
        <Checkbox isSelected={withKey} onChange={setWithKey}>
          {words.key}
          <span className="second">{words.keyHelp}</span>
        </Checkbox>
        <div className="dialog-actions">
          <Button onPress={props.onClose} isDisabled={create.isPending}>
            {common.cancel}
          </Button>
          <Button kind="main" type="submit" isPending={create.isPending}>
            {create.isPending ? words.busy : words.submit}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
