import { useState } from 'react'
import type { Scope } from '../../../../src/platform/access/scopes.ts'
import { type IssuedKey, useIssueKey } from '../../api/api-keys.ts'
import { Link } from '@tanstack/react-router'
import { Button } from '../../parts/layout/button.tsx'
import { CodeBlock } from '../../parts/text/code-block.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { useConnectWords } from './words.ts'

/** Scopes of a program that searches, and no more, since keys get lost. */
const SCOPES: readonly Scope[] = ['knowledge:read', 'products:read', 'search:log', 'visibility:internal']
const DAYS = 365
const DAY_MS = 86_400_000

/** Makes a key that reads, and shows it this one time. */
export function KeyMaker(props: { readonly issued: IssuedKey | null; readonly onIssued: (key: IssuedKey) => void }) {
  const words = useConnectWords()
  const issue = useIssueKey()
  const [name, setName] = useState('')
  const [isChecked, setChecked] = useState(false)
  const make = (): void => {
    setChecked(true)
    if (name.trim() === '') return
    issue.mutate(
      {
        name: name.trim(),
        scopes: [...SCOPES],
        user_id: null,
        expires_at: new Date(Date.now() + DAYS * DAY_MS).toISOString(),
      },
      { onSuccess: props.onIssued },
    )
  }
  if (props.issued !== null) {
    return (
      <div className="stack">
        <Notice tone="warning" role="status">
          {words.keyOnce}
        </Notice>
        <CodeBlock label={words.key} text={props.issued.key} copy={words.copyKey} />
      </div>
    )
  }
  return (
    <Form names={['name']} error={issue.error} onSubmit={make}>
      <TextField
        label={words.keyName}
        name="name"
        help={words.keyNameHelp}
        value={name}
        maxLength={200}
        onChange={setName}
        fault={isChecked && name.trim() === '' ? words.keyNameNeeded : null}
      />
      <div className="row">
        <Button kind="main" type="submit" isPending={issue.isPending}>
          {words.makeKey}
        </Button>
        <Link to="/console/settings/api-keys">{words.otherKeys}</Link>
      </div>
    </Form>
  )
}
