import { useSession } from '../../api/use-session.ts'
import { useWords } from '../../i18n/language.tsx'
import { RadioGroup } from '../../parts/fields/checkbox.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { type Access, givableCeilings, givableRoles, levelOf } from './givable.ts'
import { usePeopleWords } from './words.ts'

const AS_ROLE = 'as-role'

/** Lets people choose a role and its ceiling, among those that the signed-in person may give. */
export function AccessFields(props: {
  readonly access: Access
  readonly fault?: string | null
  readonly onChange: (access: Access) => void
}) {
  const { access, onChange } = props
  const words = useWords()
  const text = usePeopleWords()
  const { scopes } = useSession()
  return (
    <>
      <RadioGroup
        label={text.access.role}
        fault={props.fault ?? null}
        choices={givableRoles(scopes).map((id) => ({ id, name: words.roles[id], help: text.roles[id] }))}
        chosen={access.role}
        onChoose={(role) => {
          const ceilings = givableCeilings(scopes, role)
          // A ceiling that the new role does not have, or that may not be given with it, is replaced by the highest
          // that may be given.
          const ceiling = ceilings.includes(access.ceiling) ? access.ceiling : (ceilings[0] ?? null)
          onChange({ role, ceiling })
        }}
      />
      <Select
        name="ceiling"
        label={text.access.ceiling}
        choices={givableCeilings(scopes, access.role).map((ceiling) =>
          ceiling === null
            ? {
                id: AS_ROLE,
                name: text.access.asRole(words.visibility[levelOf(access.role)].name),
                help: text.access.asRoleHelp,
              }
            : { id: ceiling, ...choiceText(words.visibility[ceiling]) },
        )}
        chosen={access.ceiling ?? AS_ROLE}
        onChoose={(id) => onChange({ ...access, ceiling: id === AS_ROLE ? null : (id as Access['ceiling']) })}
      />
    </>
  )
}

const choiceText = ({ name, who }: { readonly name: string; readonly who: string }) => ({ name, help: who })
