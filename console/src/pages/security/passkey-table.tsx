import type { Passkey } from '../../api/factors.ts'
import { useWords } from '../../i18n/language.tsx'
import { Table } from '../../parts/tables/table.tsx'
import { Day } from '../../parts/text/time.tsx'

/** Lists a person's passkeys. */
export function PasskeyTable(props: {
  readonly passkeys: readonly Passkey[]
  readonly onRename: (passkey: Passkey) => void
  readonly onRemove: (passkey: Passkey) => void
}) {
  const words = useWords()
  const { passkeys: text } = words.security
  return (
    <Table
      label={text.title}
      rows={props.passkeys}
      keyOf={({ id }) => id}
      columns={[
        { head: text.name, cell: ({ name }) => <span className="wrap">{name}</span> },
        { head: text.created, cell: ({ created_at }) => <Day iso={created_at} /> },
        { head: text.lastUsed, cell: ({ last_used_at }) => <Day iso={last_used_at} none={words.never} /> },
        {
          head: words.actions,
          isActions: true,
          cell: (passkey) => (
            <span className="row-choices">
              <button
                type="button"
                className="button button-small"
                aria-label={text.renameNamed(passkey.name)}
                onClick={() => props.onRename(passkey)}
              >
                {text.rename}
              </button>
              <button
                type="button"
                className="button button-small"
                aria-label={text.removeNamed(passkey.name)}
                onClick={() => props.onRemove(passkey)}
              >
                {text.remove}
              </button>
            </span>
          ),
        },
      ]}
    />
  )
}
