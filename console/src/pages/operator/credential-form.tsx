import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { enter } from '../../api/operator.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Notice } from '../../parts/feedback/notice.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { useOperatorWords } from './words.ts'

const FORM = /^op_[0-9A-Za-z]{40}$/

/** Asks for an operator credential. It goes into the memory of this tab alone. */
export function CredentialForm() {
  const words = useWords()
  const { entry } = useOperatorWords()
  const field = useRef<HTMLInputElement>(null)
  const [entered, setEntered] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const signIn = useMutation({
    mutationFn: enter,
    // Nothing may keep the credential.
    gcTime: 0,
    onSuccess: (refusal) => {
      if (refusal === 'unknown') field.current?.focus()
    },
  })
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const key = entered.trim()
    const entryFault = key === '' ? entry.needed : FORM.test(key) ? null : entry.form
    setFault(entryFault)
    if (entryFault === null) signIn.mutate(key)
    else field.current?.focus()
  }
  const refusal = signIn.data ?? null
  return (
    <form className="form" onSubmit={submit} autoComplete="off">
      {refusal === null && signIn.error === null ? null : (
        <Notice tone="danger" role="alert">
          {refusal === null ? faultText(signIn.error, words) : entry[refusal]}
        </Notice>
      )}
      <TextField
        name="credential"
        type="password"
        autoComplete="off"
        spellCheck="false"
        label={entry.credential}
        help={entry.credentialHelp}
        fault={fault}
        inputRef={field}
        isCode
        value={entered}
        onChange={(text) => {
          setEntered(text)
          setFault(null)
        }}
      />
      <Button kind="main" type="submit" isBlock isPending={signIn.isPending}>
        {signIn.isPending ? entry.busy : entry.submit}
      </Button>
    </form>
  )
}
