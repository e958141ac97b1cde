import { useId, useState } from 'react'
import { CEILINGS, ROLE_SCOPES, ROLES, type Role, type Scope, SCOPES } from '../../../../src/platform/access/scopes.ts'
import { useWords } from '../../i18n/language.tsx'
import type { Words } from '../../i18n/words.ts'
import { CeilingField } from '../../parts/session/ceiling-field.tsx'
import { type Ceiling, isCeiling, isDangerous, permissionText } from '../../parts/session/permissions.tsx'
import { useApiKeysWords } from './words.ts'

const LOWEST: Ceiling = 'visibility:public'

/** Returns a role's scopes, with its one ceiling. */
export function scopesOfRole(role: Role): readonly Scope[] {
  return [...ROLE_SCOPES[role].filter((scope) => !isCeiling(scope)), ceilingOf(ROLE_SCOPES[role])]
}

/** Returns the highest ceiling among the scopes; a key without one sees only public entries. */
function ceilingOf(scopes: readonly Scope[]): Ceiling {
  return CEILINGS.filter(isCeiling).findLast((ceiling) => scopes.includes(ceiling)) ?? LOWEST
}

type GroupName = keyof Words['permissionGroups']

const GROUP_OF_AREA: Readonly<Record<string, GroupName>> = {
  knowledge: 'knowledge',
  categories: 'knowledge',
  products: 'products',
  sites: 'products',
  search: 'search',
  analytics: 'search',
}
const GROUPS: readonly GroupName[] = ['knowledge', 'products', 'search', 'administration']
const ACTIONS = SCOPES.filter((scope) => !isCeiling(scope))
const groupOf = (scope: Scope): GroupName => GROUP_OF_AREA[scope.split(':', 1)[0] ?? ''] ?? 'administration'

/** Lets people choose a key's permissions: a role with one click, or single permissions and a ceiling. */
export function PermissionChoice(props: {
  readonly scopes: readonly Scope[]
  readonly fault: string | null
  readonly onChange: (scopes: readonly Scope[]) => void
}) {
  const { scopes, fault, onChange } = props
  const { issueKey } = useApiKeysWords()
  const [preset, setPreset] = useState<Role | 'own'>('reader')
  const id = useId()
  const chosen = new Set(scopes)
  const change = (next: readonly Scope[]): void => {
    setPreset('own')
    onChange(next)
  }
  const toggle = (scope: Scope): void =>
    change(chosen.has(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope])
  return (
    <>
      <PresetChoice
        preset={preset}
        onChoose={(next) => {
          setPreset(next)
          if (next !== 'own') onChange(scopesOfRole(next))
        }}
      />
      <fieldset aria-describedby={fault === null ? undefined : `${id}-fault`}>
        <legend>{issueKey.permissions}</legend>
        <div className="permission-groups">
          {GROUPS.map((group) => (
            <PermissionGroup key={group} group={group} chosen={chosen} onToggle={toggle} />
          ))}
        </div>
        {fault === null ? null : (
          <p className="field-fault" id={`${id}-fault`} role="alert">
            {fault}
          </p>
        )}
      </fieldset>
      <CeilingField
        ceiling={ceilingOf(scopes)}
        onChoose={(ceiling) => change([...scopes.filter((scope) => !isCeiling(scope)), ceiling])}
      />
    </>
  )
}

function PresetChoice(props: { readonly preset: Role | 'own'; readonly onChoose: (preset: Role | 'own') => void }) {
  const { issueKey } = useApiKeysWords()
  const { roles } = useWords()
  return (
    <fieldset>
      <legend>{issueKey.preset}</legend>
      <div className="presets">
        {([...ROLES, 'own'] as const).map((each) => (
          <label key={each} className="preset">
            <input
              type="radio"
              name="preset"
              value={each}
              checked={props.preset === each}
              onChange={() => props.onChoose(each)}
            />
            {each === 'own' ? issueKey.ownChoice : roles[each]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function PermissionGroup(props: {
  readonly group: GroupName
  readonly chosen: ReadonlySet<Scope>
  readonly onToggle: (scope: Scope) => void
}) {
  const words = useWords()
  const id = useId()
  return (
    <div role="group" aria-labelledby={id}>
      <p className="permission-group" id={id}>
        {words.permissionGroups[props.group]}
      </p>
      {ACTIONS.filter((scope) => groupOf(scope) === props.group).map((scope) => (
        <label key={scope} className="check">
          <input
            type="checkbox"
            name="scopes"
            value={scope}
            checked={props.chosen.has(scope)}
            onChange={() => props.onToggle(scope)}
          />
          <span>
            {permissionText(scope, words)}{' '}
            {isDangerous(scope) ? <span className="badge badge-caution">{words.caution}</span> : null}
          </span>
        </label>
      ))}
    </div>
  )
}
