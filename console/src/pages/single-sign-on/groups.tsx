import { Plus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { isRole } from '../../parts/session/permissions.tsx'
import { useWords } from '../../i18n/language.tsx'
import { Button, IconButton } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { SettingsGroup } from '../settings/group.tsx'
import { levelsOf, withRole } from './levels.ts'
import type { SignInGroup, SignInRules } from './queries.ts'
import { useSingleSignOnWords } from './words.ts'

const GROUPS_MAX = 200
const AS_ROLE = 'role'

/** Edits the list of groups, each with the role of its members. */
export function GroupFields(props: {
  readonly rules: SignInRules
  /** Fault of each group; null for a group without one. */
  readonly faults: readonly (string | null)[]
  readonly onChange: (changes: Partial<SignInRules>) => void
}) {
  const { rules, faults, onChange } = props
  const { groups } = rules
  const { groups: words } = useSingleSignOnWords()
  const list = useRef<HTMLUListElement>(null)
  const isAdded = useRef(false)
  useEffect(() => {
    if (!isAdded.current) return
    isAdded.current = false
    list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus()
  })
  const put = (i: number, group: SignInGroup): void => onChange({ groups: groups.with(i, group) })
  return (
    <SettingsGroup title={words.title} help={words.help}>
      <TextField
        name="groups_claim"
        label={words.claim}
        help={words.claimHelp}
        isCode
        value={rules.groups_claim}
        onChange={(claim) => onChange({ groups_claim: claim })}
      />
      {groups.length === 0 ? (
        <Empty title={words.none} help={words.noneHelp} />
      ) : (
        <ul ref={list} className="plain-list sso-groups" aria-label={words.list}>
          {groups.map((group, i) => (
            <GroupRow
              // oxlint-disable-next-line react/no-array-index-key -- a group has no other name than the one being typed
              key={i}
              group={group}
              path={`groups.${i}`}
              fault={faults[i] ?? null}
              onChange={(changed) => put(i, changed)}
              onRemove={() => onChange({ groups: groups.toSpliced(i, 1) })}
            />
          ))}
        </ul>
      )}
      <p className="row">
        <Button
          icon={Plus}
          isDisabled={groups.length >= GROUPS_MAX}
          onPress={() => {
            isAdded.current = true
            onChange({ groups: [...groups, { group: '', role: 'reader', ceiling: null }] })
          }}
        >
          {words.add}
        </Button>
        {groups.length >= GROUPS_MAX ? <span className="help">{words.full}</span> : null}
      </p>
    </SettingsGroup>
  )
}

function GroupRow(props: {
  readonly group: SignInGroup
  readonly path: string
  readonly fault: string | null
  readonly onChange: (group: SignInGroup) => void
  readonly onRemove: () => void
}) {
  const { group, path, fault, onChange, onRemove } = props
  const { roles, visibility } = useWords()
  const { groups: words } = useSingleSignOnWords()
  return (
    <li className="sso-group">
      <TextField
        name={`${path}.group`}
        label={words.group}
        fault={fault}
        value={group.group}
        onChange={(name) => onChange({ ...group, group: name })}
      />
      <Select
        name={`${path}.role`}
        label={words.role}
        choices={(['reader', 'editor', 'admin'] as const).map((id) => ({ id, name: roles[id] }))}
        chosen={group.role}
        onChoose={(role) => {
          if (isRole(role)) onChange(withRole(group, role))
        }}
      />
      <Select
        name={`${path}.ceiling`}
        label={words.ceiling}
        choices={[
          { id: AS_ROLE, name: words.asRole },
          ...levelsOf(group.role)
            .slice(0, -1)
            .map((id) => ({ id, name: visibility[id].name, help: visibility[id].who })),
        ]}
        chosen={group.ceiling ?? AS_ROLE}
        onChoose={(id) => onChange({ ...group, ceiling: levelsOf(group.role).find((level) => level === id) ?? null })}
      />
      <IconButton icon={X} label={words.remove(group.group)} onPress={onRemove} />
    </li>
  )
}
