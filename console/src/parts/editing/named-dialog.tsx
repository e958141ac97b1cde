import { useWords } from '../../i18n/language.tsx'
import { Button } from '../layout/button.tsx'
import { Dialog } from '../feedback/dialog.tsx'
import { Form } from './form.tsx'
import { Collisions } from './collisions.tsx'
import type { NamedFields } from './named-fields.ts'
import { TextArea, TextField } from '../fields/text-field.tsx'

/**
 * Asks for the name and the description of a thing, which other people may change at the same time.
 * @param props.values fields as they are now
 * @param props.theirs values that another person set meanwhile in the same fields
 * @param props.isTried whether the person tried to send the form, so that a missing name is a fault
 */
export function NamedDialog(props: {
  readonly title: string
  readonly words: NamedFields & { readonly descriptionHelp?: string; readonly nameNeeded: string }
  readonly values: NamedFields
  readonly theirs: Partial<NamedFields> | null
  readonly error: unknown
  readonly isBusy: boolean
  readonly isTried: boolean
  readonly submitLabel: string
  readonly onEdit: (part: Partial<NamedFields>) => void
  readonly onSubmit: () => void
  readonly onTake: () => void
  readonly onClose: () => void
}) {
  const { words, values, theirs, isBusy, onEdit, onSubmit, onClose } = props
  const { cancel } = useWords()
  const collisions = (['name', 'description'] as const).flatMap((field) => {
    const set = theirs?.[field]
    return set === undefined ? [] : [{ name: words[field], theirs: set, mine: values[field] }]
  })
  return (
    <Dialog title={props.title} onClose={onClose} isBusy={isBusy}>
      <Form names={['name', 'description']} error={props.error} onSubmit={onSubmit}>
        <Collisions fields={collisions} isBusy={isBusy} onTake={props.onTake} onOverwrite={onSubmit} />
        <TextField
          name="name"
          label={words.name}
          value={values.name}
          onChange={(name) => onEdit({ name })}
          maxLength={200}
          fault={props.isTried && values.name.trim() === '' ? words.nameNeeded : null}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog takes the focus anyway
          autoFocus
        />
        <TextArea
          name="description"
          label={words.description}
          {...(words.descriptionHelp === undefined ? {} : { help: words.descriptionHelp })}
          isRequired={false}
          rows={3}
          maxLength={5_000}
          value={values.description}
          onChange={(description) => onEdit({ description })}
        />
        <div className="dialog-actions">
          <Button onPress={onClose} isDisabled={isBusy}>
            {cancel}
          </Button>
          <Button kind="main" type="submit" isPending={isBusy}>
            {props.submitLabel}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
